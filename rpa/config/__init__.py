"""A project's configuration: `rpa.toml`, its shops, and where things are kept."""

from rpa.config.project import Project, load_project
from rpa.config.secret import Secret, SecretRef
from rpa.config.shop import BrowserConfig, ShopConfig

__all__ = ["BrowserConfig", "Project", "Secret", "SecretRef", "ShopConfig", "load_project"]
