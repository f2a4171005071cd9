"""Fixtures every test may ask for."""

from tests.support.oscar import oscar as oscar
