"""How much chance the tests take.

Two profiles of Hypothesis: `commit` tries the same examples every time, so that a red run is red
for everybody; `deep` searches long and anew (`pytest --hypothesis-profile=deep`).
"""

from hypothesis import settings

pytest_plugins = ["tests.postgres", "tests.service_process"]

settings.register_profile("commit", derandomize=True, database=None, deadline=None)
settings.register_profile("deep", max_examples=2_000, deadline=None, print_blob=True)
settings.load_profile("commit")
