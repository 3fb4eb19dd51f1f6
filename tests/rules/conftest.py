"""Settings of Hypothesis: the same number of examples in each run, and more with `HYPOTHESIS_PROFILE=long`."""

import os

from hypothesis import settings

# All else is as in the profile of all tests.
settings.register_profile("rules", max_examples=25)
settings.register_profile("long", max_examples=1500, derandomize=False)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "rules"))
