"""The settings, declared once: name, type, default and help; a bad value stops the boot and says its key."""

import difflib
import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Final, Literal, Self
from urllib.parse import urlsplit

import platformdirs
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from app.config_people import PeopleSettings, is_loopback_host, split_list
from app.domain import limits, limits_knowledge, limits_upkeep, scope
from app.domain.errors import DiskRefused, InvalidValue

ENV_PREFIX = "MEMWIKI_"
CONFIG_NAME = "memwiki.toml"
# What a server is built on; all else is taken over while it runs, when the settings are read again.
BOUND_AT_START: Final = frozenset(
    {
        "allowed_hosts",
        "data_dir",
        "host",
        "port",
        "public_url",
        "raw_key_file",
        "raw_old_key_files",
        "setup_secret",
        "traces_endpoint",
        "traces_headers",
        "traces_share",
        "trusted_proxies",
        "url_prefix",
        "vectors",
        "workspace",
    }
)


class Settings(PeopleSettings):
    """Everything a person can set: on the command line, as `MEMWIKI_…`, or in `<data_dir>/memwiki.toml`."""

    model_config = SettingsConfigDict(env_prefix=ENV_PREFIX, env_ignore_empty=True, extra="forbid", frozen=True)

    data_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("memwiki", appauthor=False)),
        description="The folder that holds everything: wiki, state, index, logs, backups.",
    )
    host: str = Field(
        "127.0.0.1",
        description="The address to listen on; any but loopback needs an administrator or an access_token.",
    )
    port: int = Field(7470, ge=0, le=65535, description="The port to listen on; 0 takes a free one.")
    allowed_hosts: Annotated[list[str], NoDecode] = Field(
        default_factory=list,
        description="Further names in the Host header that are answered, for example behind a proxy.",
    )
    url_prefix: str = Field(
        "",
        description="The path below which a proxy serves memwiki, such as `/memwiki`; empty for the root.",
    )
    access_token: SecretStr | None = Field(
        None,
        description="A secret whose bearer is an administrator, for a start without accounts.",
    )
    access_token_file: Path | None = Field(None, description="A file whose first line is the access_token.")
    workspace: str = Field(
        scope.DEFAULT_WORKSPACE,
        description="The workspace in which new projects appear, unless a marker file names one, and that of a project "
        "named alone.",
    )
    session_idle_seconds: int = Field(
        limits.SESSION_IDLE_SECONDS,
        ge=1,
        description="A session without events for this long is ended and compiled.",
    )
    session_idle_after_stop_seconds: int = Field(
        limits.SESSION_IDLE_AFTER_STOP_SECONDS,
        ge=1,
        description="The same for a session whose agent finished its turn and waits for a person.",
    )
    seal_after_seconds: int = Field(
        limits.SEAL_AFTER_SECONDS,
        ge=0,
        description="A finished session that is quiet for this long is sealed into a file of its own under raw/.",
    )
    observations_retention_days: int = Field(
        limits.OBSERVATIONS_RETENTION_DAYS,
        ge=0,
        le=limits.RETENTION_DAYS_MAX,
        description="After this long, sealed observations leave state and are read from raw/ alone.",
    )
    replay_keys_retention_days: int = Field(
        limits.REPLAY_KEYS_RETENTION_DAYS,
        ge=limits.REPLAY_KEYS_RETENTION_DAYS_MIN,
        le=limits.RETENTION_DAYS_MAX,
        description="For this long an event that is sent again is known for a repeat; longer than spools keep events.",
    )
    lessons_retention_days: int = Field(
        limits_knowledge.LESSONS_RETENTION_DAYS,
        ge=1,
        le=limits.RETENTION_DAYS_MAX,
        description="After this long, what sessions taught leaves state, unless a page or a repetition came of it.",
    )
    audit_retention_days: int = Field(
        0,
        ge=0,
        le=limits.RETENTION_DAYS_MAX,
        description="After this long, rows leave the audit trail, which says so; 0 keeps them for good.",
    )
    raw_key_file: Path | None = Field(
        None,
        description="A file made by `memwiki key new`; with it, what is sealed is encrypted with AES-256-GCM.",
    )
    raw_old_key_files: Annotated[list[Path], NoDecode] = Field(
        default_factory=list,
        description="Earlier such files, needed until everything is under the present one.",
    )
    gotcha_sessions: int = Field(
        limits_knowledge.GOTCHA_SESSIONS,
        ge=1,
        description="So many sessions must have met an error that was fixed before there is a page about it.",
    )
    gotcha_fleeting_sessions: int = Field(
        limits_knowledge.GOTCHA_FLEETING_SESSIONS,
        ge=1,
        description="The same for errors that come and go while code is written: failing assertions, unknown names.",
    )
    procedure_sessions: int = Field(
        limits_knowledge.PROCEDURE_SESSIONS,
        ge=2,
        description="In so many sessions the same commands must have passed one after the other to become a procedure.",
    )
    concept_sessions: int = Field(
        limits_knowledge.CONCEPT_SESSIONS,
        ge=2,
        description="So many sessions must have worked on a file, package or ticket before it has a page.",
    )
    curate_every_hours: int = Field(
        limits_knowledge.CURATE_HOURS,
        ge=0,
        le=limits_knowledge.CURATE_HOURS_MAX,
        description="How often pages that say nearly the same are looked for and proposed to become one; 0 for never.",
    )
    rate_limit_per_token: float = Field(
        0, ge=0, allow_inf_nan=False, description="Events a second that one access token may send; 0 sets no limit."
    )
    rate_limit_per_session: float = Field(
        0, ge=0, allow_inf_nan=False, description="Events a second that one session may send; 0 sets no limit."
    )
    exclude_projects: Annotated[list[str], NoDecode] = Field(
        default_factory=list,
        description="Projects that are not captured, by globs of `name` or `workspace/name`.",
    )
    exclude_folders: Annotated[list[str], NoDecode] = Field(
        default_factory=list,
        description="Folders in which nothing is captured, by globs such as `/srv/secret` or `**/private`.",
    )
    vectors: bool = Field(
        default=True,
        description="Search by meaning too, where the extra `vectors` is installed: its model runs on this machine.",
    )
    diagrams: bool = Field(
        default=False, description="Draw mermaid diagrams in the browser, each in a sandbox; off, they stand as code."
    )
    backup_every_hours: int = Field(
        0,
        ge=0,
        le=limits.BACKUP_HOURS_MAX,
        description="How often the server makes a backup by itself; 0 leaves that to you.",
    )
    backup_folder: Path | None = Field(
        None, description="Where those backups go, best another disk; by default `backups` in the data directory."
    )
    backup_keep_daily: int = Field(
        7, ge=0, le=limits.BACKUPS_KEPT_MAX, description="Of so many days the last backup of a schedule is kept."
    )
    backup_keep_weekly: int = Field(
        4, ge=0, le=limits.BACKUPS_KEPT_MAX, description="Of so many weeks the last backup of a schedule is kept."
    )
    backup_keep_monthly: int = Field(
        12, ge=0, le=limits.BACKUPS_KEPT_MAX, description="Of so many months the last backup of a schedule is kept."
    )
    backup_passphrase_file: Path | None = Field(
        None,
        description="A file whose first line is a passphrase; with it, backups are encrypted with AES-256-GCM.",
    )
    drill_every_days: int = Field(
        limits_upkeep.DRILL_DAYS,
        ge=0,
        le=limits_upkeep.DRILL_DAYS_MAX,
        description="How often the server puts the last backup of its schedule back aside, in a quiet moment, to see "
        "whether it works; 0 leaves that to you.",
    )
    traces_endpoint: str = Field(
        "",
        pattern=r"^(https?://[^/?#\s]+[^?#\s]*)?$",
        description="Where traces go by OTLP over HTTP, such as `http://127.0.0.1:4318`, to which `/v1/traces` is "
        "added; empty for nowhere. Needs the extra `traces`.",
    )
    traces_headers: SecretStr | None = Field(
        None, description="Headers that the collector wants: `authorization=Bearer x`, several with commas between."
    )
    traces_headers_file: Path | None = Field(None, description="A file whose first line is the traces_headers.")
    traces_share: float = Field(
        1.0, ge=0, le=1, allow_inf_nan=False, description="Of which share of requests and jobs there are traces."
    )
    disk_free_mib_min: int = Field(
        limits.DISK_FREE_BYTES_MIN // 2**20,
        ge=0,
        description="Events are refused (507) while less is free on the data's disk; hooks keep them until then.",
    )
    slow_ms: int = Field(
        limits.SLOW_MS,
        ge=0,
        description="What takes so long is noted in the log: requests, searches, jobs, commits; 0 notes nothing.",
    )
    log_format: Literal["console", "json"] = Field(
        "console", description="Whether logs/memwiki.log has lines for people or one JSON object a line."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "info", description="What is written to logs/memwiki.log."
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library calls by this signature
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - the library calls by this signature
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read the command line first, then the environment, then the file in the data directory."""
        data_dir = init_settings().get("data_dir") or env_settings().get("data_dir")
        folder = (
            Path(data_dir).expanduser() if data_dir else Path(platformdirs.user_data_dir("memwiki", appauthor=False))
        )
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, folder / CONFIG_NAME)

    @field_validator("allowed_hosts", "raw_old_key_files", "exclude_projects", "exclude_folders", mode="before")
    @classmethod
    def _split_list(cls, given: object) -> object:
        return split_list(given)

    @field_validator("url_prefix")
    @classmethod
    def _check_prefix(cls, given: str) -> str:
        path = given.strip().strip("/")
        if not all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._~-]*", part) for part in path.split("/") if path):
            raise ValueError("give a path of plain names, such as /memwiki")
        return f"/{path}" if path else ""

    @field_validator("access_token", "setup_secret", "traces_headers")
    @classmethod
    def _drop_blank(cls, given: SecretStr | None) -> SecretStr | None:
        """Take a blank token as none: it would prove nothing, and must not open an address to everybody."""
        token = given.get_secret_value().strip() if given else ""
        return SecretStr(token) if token else None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        scope.parse_name(self.workspace, what="workspace")
        if self.oidc_issuer and not self.is_loopback and not self.public_url:
            raise ValueError("oidc_issuer needs a public_url, to which the provider sends people back")
        object.__setattr__(self, "data_dir", Path(os.path.abspath(self.data_dir.expanduser())))  # noqa: PTH100 - resolve() would follow links
        for name in list_secrets():
            path = getattr(self, f"{name}_file", None)
            if getattr(self, name) is None and path is not None:
                object.__setattr__(self, name, SecretStr(_read_secret(name, path)))
        return self

    def list_hosts(self) -> tuple[str, ...]:
        """List the names in the Host header that are answered besides this machine's own."""
        public = urlsplit(self.public_url).hostname
        return (*self.allowed_hosts, *([public] if public else []))

    def find_exposure(self) -> str:
        """Say by what other machines reach the server, also where a proxy on this one passes on what they ask."""
        if not self.is_loopback:
            return f"{self.host!r} is no address of loopback"
        if self.trusted_proxies:
            return "trusted_proxies names a proxy"
        named = [host for host in self.list_hosts() if not is_loopback_host(host.strip("[]"))]
        return f"the name {named[0]!r} is answered" if named else ""

    def find_token(self) -> bytes:
        """Find the secret whose bearer is an administrator; empty for none."""
        return self.access_token.get_secret_value().encode() if self.access_token else b""

    @property
    def is_closed(self) -> bool:
        """Whether everybody has to prove who it is, also while there are no accounts."""
        return bool(self.oidc_issuer or self.setup_secret)

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return is_loopback_host(self.host)


def load_settings(**given: object) -> Settings:
    """Read the settings; `given` are the command line's, absent ones as None.

    Raises:
        InvalidValue: a value is not of its setting's kind, or a setting is unknown; the message names the key,
            or the file where that cannot be read at all.
        DiskRefused: the data directory is somebody else's, so that nothing in it can be read.
    """
    try:
        return Settings(**{key: value for key, value in given.items() if value is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        raise InvalidValue(*_tell_first(error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        if isinstance(error, PermissionError):
            _check_folder(Path(error.filename).parent)
        raise InvalidValue(CONFIG_NAME, f"it cannot be read: {error}") from error


def read_kept_text(data_dir: Path, *, with_secrets: bool) -> bytes:
    """Read the settings' file as a backup may keep it: as it is, or without the settings that are secrets."""
    try:
        text = (data_dir / CONFIG_NAME).read_bytes()
    except FileNotFoundError:
        return b""
    if with_secrets:
        return text
    # Imported when a backup is made: it takes a tenth of a second.
    import tomlkit  # noqa: PLC0415

    document = tomlkit.parse(text)
    for name in list_secrets():
        document.pop(name, None)
    return document.as_string().encode("utf-8")


def list_secrets() -> list[str]:
    """Name the settings whose values are shown to nobody."""
    return [name for name, field in Settings.model_fields.items() if "SecretStr" in str(field.annotation)]


def suggest(name: str) -> str:
    """Say which setting may have been meant by a name that is none; empty where none is near."""
    given = name.casefold()
    begun = [known for known in Settings.model_fields if known.startswith(given)] if given else []
    near = begun or difflib.get_close_matches(given, Settings.model_fields, n=1, cutoff=0.75)
    return f" (did you mean {near[0]}?)" if near else ""


def list_kept_files() -> list[str]:
    """Name the settings that only say where a secret is read from."""
    return [f"{name}_file" for name in list_secrets() if f"{name}_file" in Settings.model_fields]


def _tell_first(error: ValidationError) -> tuple[str, str]:
    """Tell which setting is not good and why; of unknown ones all at once."""
    faults = error.errors()
    unknown = [str(fault["loc"][0]) for fault in faults if fault["type"] == "extra_forbidden"]
    if unknown:
        told = ", ".join(f"{name}{suggest(name)}" for name in unknown)
        return CONFIG_NAME, f"it has settings that there are not: {told}"
    first = faults[0]
    key = ".".join(str(part) for part in first["loc"]) or "settings"
    return f"setting {key}", first["msg"]


def _check_folder(folder: Path) -> None:
    if os.access(folder, os.R_OK | os.X_OK):
        return
    owner, us = (folder.stat().st_uid, os.getuid()) if hasattr(os, "getuid") else ("?", "?")
    reason = f"it cannot be read; it belongs to uid {owner}, this process runs as uid {us}"
    raise DiskRefused(f"data directory {folder}", reason)


def _read_secret(name: str, path: Path) -> str:
    refusal = InvalidValue(f"setting {name}_file", f"{path.name} has no secret on its first line")
    try:
        secret = path.expanduser().read_text(encoding="utf-8").partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError) as error:
        raise refusal from error
    if not secret:
        raise refusal
    return secret


def find_bundled(name: str) -> Path:
    """Find a folder that travels with the code: inside the installed package, else beside it in a checkout."""
    package = Path(__file__).parent
    installed = package / "_bundled" / name
    return installed if installed.is_dir() else package.parent / name
