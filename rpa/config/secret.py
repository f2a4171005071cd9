"""Secrets: named in the configuration, read when needed, never printed."""

from __future__ import annotations

import importlib
import os
from typing import Annotated, Final

from pydantic import AfterValidator

from rpa.errors import ConfigError

__all__ = ["Secret", "SecretRef", "resolve"]

_SCHEMES: Final = ("env:", "keyring:")


def _reference(text: str) -> str:
    if not text.startswith(_SCHEMES):
        raise ValueError("give env:NAME or keyring:SERVICE/NAME, never the secret itself")
    if text.startswith("keyring:") and "/" not in text:
        raise ValueError("a keyring reference is keyring:SERVICE/NAME")
    return text


SecretRef = Annotated[str, AfterValidator(_reference)]
"""Where a secret is kept: ``env:NAME`` or ``keyring:SERVICE/NAME``."""


class Secret(str):
    """A secret's text, which does not print itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Secret('***')"


def resolve(reference: str, used_for: str) -> Secret:
    """Read a secret.

    Args:
        reference: An ``env:`` or ``keyring:`` reference.
        used_for: Key in the configuration, for the error.

    Raises:
        ConfigError: It is not there; names the key and the remedy.
    """
    scheme, _, name = reference.partition(":")
    if scheme == "env":
        value = os.environ.get(name)
        remedy = f"set the environment variable {name}"
    else:
        value = _from_keyring(name, used_for)
        remedy = f"store it with `keyring set {name.replace('/', ' ', 1)}`"
    if not value:
        raise ConfigError(f"{used_for}: {reference} is empty or not set; {remedy}")
    return Secret(value)


def _from_keyring(name: str, used_for: str) -> str | None:
    try:
        keyring = importlib.import_module("keyring")
    except ModuleNotFoundError:
        raise ConfigError(
            f"{used_for}: keyring references need the extra: pip install 'landonce[keyring]'"
        ) from None
    service, _, user = name.partition("/")
    value: str | None = keyring.get_password(service, user)
    return value
