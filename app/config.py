"""The settings, declared once: name, type, default and help; a bad value stops the boot and says its key."""

import ipaddress
import os
from pathlib import Path
from typing import Literal, Self

import platformdirs
from pydantic import Field, SecretStr, ValidationError, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from app.domain import limits, scope
from app.domain.errors import InvalidValue

ENV_PREFIX = "MEMWIKI_"
CONFIG_NAME = "memwiki.toml"


class Settings(BaseSettings):
    """Everything a person can set: on the command line, as `MEMWIKI_…`, or in `<data_dir>/memwiki.toml`."""

    model_config = SettingsConfigDict(env_prefix=ENV_PREFIX, extra="forbid", frozen=True)

    data_dir: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("memwiki", appauthor=False)),
        description="The folder that holds everything: wiki, state, index, logs, backups.",
    )
    host: str = Field(
        "127.0.0.1",
        description="The address to listen on. Any address that is not loopback needs access_token.",
    )
    port: int = Field(7470, ge=0, le=65535, description="The port to listen on; 0 takes a free one.")
    allowed_hosts: list[str] = Field(
        default_factory=list,
        description="Further names in the Host header that are answered, for example behind a proxy.",
    )
    access_token: SecretStr | None = Field(
        None,
        description="The secret that every request must bear; without it only loopback is served.",
    )
    access_token_file: Path | None = Field(None, description="A file whose first line is the access_token.")
    workspace: str = Field(
        scope.DEFAULT_WORKSPACE,
        description="The workspace in which new projects appear, unless a marker file names one.",
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
        folder = Path(data_dir) if data_dir else Path(platformdirs.user_data_dir("memwiki", appauthor=False))
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, folder / CONFIG_NAME)

    @model_validator(mode="after")
    def _complete(self) -> Self:
        scope.parse_name(self.workspace, what="workspace")
        object.__setattr__(self, "data_dir", Path(os.path.abspath(self.data_dir.expanduser())))  # noqa: PTH100 - resolve() would follow links
        if self.access_token is None and self.access_token_file is not None:
            object.__setattr__(self, "access_token", SecretStr(_read_secret(self.access_token_file)))
        return self

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def load_settings(**given: object) -> Settings:
    """Read the settings; `given` are the command line's, absent ones as None.

    Raises:
        InvalidValue: a value is not of its setting's kind, or a setting is unknown; the message names the key.
    """
    try:
        return Settings(**{key: value for key, value in given.items() if value is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "settings"
        raise InvalidValue(f"setting {key}", first["msg"]) from error


def _read_secret(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").splitlines()[0].strip()
    except (OSError, IndexError, UnicodeDecodeError) as error:
        raise InvalidValue("setting access_token_file", f"{path.name} has no secret on its first line") from error


def find_bundled(name: str) -> Path:
    """Find a folder that travels with the code: inside the installed package, else beside it in a checkout."""
    package = Path(__file__).parent
    installed = package / "_bundled" / name
    return installed if installed.is_dir() else package.parent / name
