"""django-oscar's dashboard."""

from stores.oscar.config import Oscar

__all__ = ["Oscar"]
