"""Predicates that read signs do not apply to layers whose codes are piece numbers."""

from __future__ import annotations

import pytest

from exactrelu import Network, Status, hypotheses

SIGNS = ("no_always_on", "no_stably_unactivated", "transparent", "bent_hyperplanes_meet", "transversal_pairs")


@pytest.mark.parametrize("name", SIGNS)
@pytest.mark.parametrize("rho", ["abs", "hat", "hard_tanh", "tanh"])
def test_codes_are_not_read_as_signs(name: str, rho: str) -> None:
    net = Network.mlp([[[1], [2]], [[1, -1]], [[1]]], [[0, 1], [1], [0]], activation=rho)
    verdict = getattr(hypotheses, name)(net)
    assert verdict.status is Status.INAPPLICABLE
    assert "neuron" in verdict.condition("relu_network").detail
    relus = getattr(hypotheses, name)(Network.mlp([[[1], [2]], [[1, -1]]], [[0, 1], [1]]))
    assert relus.status in (Status.HOLDS, Status.FAILS)
