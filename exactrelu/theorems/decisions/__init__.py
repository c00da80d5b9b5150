"""Decisions of conclusions that do not use the procedures which the statements justify."""
