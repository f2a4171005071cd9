"""The seller back office of `fixtures/backoffice`."""

from stores.backoffice.config import Backoffice

__all__ = ["Backoffice"]
