"""Exact linear regions."""
