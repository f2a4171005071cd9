"""Fixtures every test may ask for."""

import os

from tests.support.oscar import oscar as oscar

# Tests start hundreds of processes; without kept bytecode each of them compiles all it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
