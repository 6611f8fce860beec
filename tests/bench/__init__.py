"""How fast the rules are, beside peers from PyPI in the same run: `python -m tests.bench`."""
