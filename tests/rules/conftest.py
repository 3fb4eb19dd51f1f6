"""How hard the rules are shaken: the same bounded examples in every run, more with `HYPOTHESIS_PROFILE=long`."""

import os

from hypothesis import HealthCheck, settings

_SLOW_MACHINE = (HealthCheck.too_slow,)
settings.register_profile(
    "rules", max_examples=40, deadline=None, derandomize=True, database=None, suppress_health_check=_SLOW_MACHINE
)
settings.register_profile("long", max_examples=1500, deadline=None, database=None, suppress_health_check=_SLOW_MACHINE)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "rules"))
