"""The commands of the command line, one function each: they read files, ask the package, and print."""

from .certificates import check
from .completion import completion
from .identifiability import dimension, identify, recover
from .networks import analyze, compare, convert, demo, phi
from .regions import regions
from .symmetries import symmetries
from .theorems import theorem

__all__ = [
    "analyze",
    "check",
    "compare",
    "completion",
    "convert",
    "demo",
    "dimension",
    "identify",
    "phi",
    "recover",
    "regions",
    "symmetries",
    "theorem",
]
