"""The commands of the command line, one function each: they read files, ask the package, and print."""

from .certificates import check
from .identifiability import dimension, identify, recover
from .networks import analyze, compare, convert, demo, phi
from .regions import regions
from .symmetries import symmetries

__all__ = [
    "analyze",
    "check",
    "compare",
    "convert",
    "demo",
    "dimension",
    "identify",
    "phi",
    "recover",
    "regions",
    "symmetries",
]
