"""Where agents keep their files: the one place that reads a relocated home, and joins paths as their system does."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath, PurePosixPath, PureWindowsPath


class System(StrEnum):
    """The systems whose agents keep their files in different places."""

    LINUX = "linux"
    MACOS = "macos"
    WINDOWS = "windows"


class WiringScope(StrEnum):
    """Whether an agent is wired for all of a person's work or for one project."""

    USER = "user"
    PROJECT = "project"


@dataclass(frozen=True, slots=True)
class Site:
    """Where an agent is wired: the person's home and environment, and with `PROJECT` the project's folder."""

    home: str
    env: Mapping[str, str] = field(repr=False)
    system: System = System.LINUX
    scope: WiringScope = WiringScope.USER
    project: str = ""


@dataclass(frozen=True, slots=True)
class Home:
    """An agent's folder below the person's home; a variable may name another one.

    With `is_config` it stands below the folder for settings: `XDG_CONFIG_HOME`, and on Windows `APPDATA`; with
    `is_native` also macOS has its own place for that, `~/Library/Application Support`.
    """

    path: str
    variable: str = ""
    is_config: bool = False
    is_native: bool = False


def find_home(site: Site, home: Home) -> PurePath:
    """Find an agent's folder; a variable that is blank counts as unset."""
    moved = site.env.get(home.variable, "").strip() if home.variable else ""
    if moved:
        return make_path(site, moved)
    return (find_config_folder(site, home) if home.is_config else make_path(site, site.home)) / home.path


def find_config_folder(site: Site, home: Home) -> PurePath:
    """Find the folder in which programs keep their settings; a relative one counts as unset."""
    if site.system is System.MACOS and home.is_native:
        return make_path(site, site.home) / "Library" / "Application Support"
    variable = "APPDATA" if site.system is System.WINDOWS else "XDG_CONFIG_HOME"
    named = make_path(site, site.env.get(variable, "").strip())
    if named.is_absolute():
        return named
    below = "AppData/Roaming" if site.system is System.WINDOWS else ".config"
    return make_path(site, site.home) / below


def make_path(site: Site, path: str) -> PurePath:
    """Read a path as the site's system does."""
    return PureWindowsPath(path) if site.system is System.WINDOWS else PurePosixPath(path)


def find_project(site: Site) -> PurePath | None:
    """Find the project's folder; none where the site is the person's own."""
    return make_path(site, site.project) if site.scope is WiringScope.PROJECT else None
