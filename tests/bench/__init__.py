"""How fast the rules of every game are, beside peers from PyPI: `python -m tests.bench`."""
