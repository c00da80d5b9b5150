"""Certificates: a claim about explicit networks with what is needed to check it, as a value and as a file."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from .. import extended_checker
from ..errors import ExactReluError
from ..files import write_bytes

FORMAT: Final = "exactrelu/certificate"


class Rejected(ExactReluError):
    """The independent checker does not accept a certificate."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim, complete with the networks that it is about, and evidence that proves it by multiplying and comparing.

    Both are JSON data; ``claim["id"]`` names what is claimed. The format is specified in ``docs/certificates.md``.
    """

    claim: Mapping[str, Any]
    evidence: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The certificate as JSON data."""
        return {"format": FORMAT, "version": 1, "claim": dict(self.claim), "evidence": dict(self.evidence)}

    def text(self) -> str:
        """The certificate as a JSON document, always the same for the same certificate."""
        return json.dumps(self.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate to a file as a whole: gzipped if its name ends in ``.gz``.

        Raises :class:`~exactrelu.errors.InvalidFile` if the file cannot be written.
        """
        content = self.text().encode()
        if os.fspath(path).endswith(".gz"):
            content = gzip.compress(content, mtime=0)
        write_bytes(path, content)

    def check(self) -> str:
        """Let the independent checkers verify the certificate; the claim that it proves, in a sentence.

        Raises :class:`Rejected` if it does not prove the claim, or is too large to be checked.
        """
        answer = extended_checker.check(self.text().encode())
        if answer.code:
            raise Rejected(answer.text)
        return answer.text.removeprefix("VALID: ")

    def explain(self) -> str:
        """What is claimed, and how large the evidence is."""
        return f"{self.claim['id']}, with {len(json.dumps(dict(self.evidence)))} bytes of evidence"
