"""Settings of the core's property tests."""

from hypothesis import settings

# How long an example takes says how busy the machine is, and nothing about the core.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
