"""What holds for every test."""

from hypothesis import settings

# A law holds however busy the machine is: no test fails for being slow.
settings.register_profile("aramis", deadline=None)
settings.load_profile("aramis")
