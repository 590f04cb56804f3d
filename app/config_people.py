"""The settings about people: identity providers, proxies, and what a password costs; a part of `config.Settings`."""

import ipaddress
import json
from pathlib import Path
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode

from app.domain import limits_people
from app.domain.claimant import AdmissionRules

_LOOPBACK = "localhost"


class PeopleSettings(BaseSettings):
    """Who may come in, and by which way."""

    public_url: str = Field(
        "",
        description="The address at which browsers and clients reach the server, such as `https://memory.example.org`, "
        "without url_prefix; its name is answered. Needed behind a proxy and for oidc_issuer off loopback.",
    )
    trusted_proxies: Annotated[list[str], NoDecode] = Field(
        default_factory=list,
        description="Addresses or networks of proxies, such as `127.0.0.1` or `10.0.0.0/8`, whose word is taken for "
        "who asks and how (`X-Forwarded-For`, `-Proto`, `-Host`); nobody else's is.",
    )
    setup_secret: SecretStr | None = Field(
        None, description="A secret by which the first administrator is made, once, at `/sign-in`; then worthless."
    )
    setup_secret_file: Path | None = Field(None, description="A file whose first line is the setup_secret.")
    password_rounds: int = Field(
        limits_people.PASSWORD_ROUNDS,
        ge=1,
        le=limits_people.PASSWORD_ROUNDS_MAX,
        description="Rounds of argon2id for a password; a change is applied to each at its person's next sign-in.",
    )
    password_memory_kib: int = Field(
        limits_people.PASSWORD_MEMORY_KIB,
        ge=limits_people.PASSWORD_MEMORY_KIB_MIN,
        le=limits_people.PASSWORD_MEMORY_KIB_MAX,
        description="Memory that argon2id takes for one password; two are checked at once.",
    )
    password_threads: int = Field(
        limits_people.PASSWORD_THREADS,
        ge=1,
        le=limits_people.PASSWORD_THREADS_MAX,
        description="Threads by which argon2id works on one password.",
    )
    oidc_issuer: str = Field(
        "",
        description="The identity provider by which people sign in (OpenID Connect), by its issuer; empty for none.",
    )
    oidc_client_id: str = Field("", description="As which client this server is known to the provider.")
    oidc_client_secret: SecretStr | None = Field(
        None, description="The client's secret; none for a public client, which PKCE alone protects."
    )
    oidc_client_secret_file: Path | None = Field(None, description="A file whose first line is the oidc_client_secret.")
    oidc_scopes: str = Field("openid profile email", description="What is asked of the provider at a sign-in.")
    oidc_audiences: Annotated[list[str], NoDecode] = Field(
        default_factory=list,
        description="For whom access tokens of the provider must be made to be taken here; by default for the address "
        "of this server and of its `/mcp`.",
    )
    oidc_domains: Annotated[list[str], NoDecode] = Field(
        default_factory=list,
        description="Whoever has a verified address of such a domain may come in; `*` for whoever the provider knows.",
    )
    oidc_groups_claim: str = Field("groups", description="The claim in which the provider lists a person's groups.")
    oidc_member_groups: Annotated[list[str], NoDecode] = Field(
        default_factory=list, description="Groups of the provider whose members may come in."
    )
    oidc_admin_groups: Annotated[list[str], NoDecode] = Field(
        default_factory=list, description="Groups of the provider whose members come in as administrators."
    )
    oidc_groups: Annotated[dict[str, str], NoDecode] = Field(
        default_factory=dict,
        description="Groups of the provider, each with the group here that its members are in and that can be granted "
        "access to projects: as JSON or a TOML table.",
    )

    @field_validator(
        "trusted_proxies", "oidc_audiences", "oidc_domains", "oidc_member_groups", "oidc_admin_groups", mode="before"
    )
    @classmethod
    def _split_names(cls, given: object) -> object:
        return split_list(given)

    @field_validator("trusted_proxies")
    @classmethod
    def _check_networks(cls, given: list[str]) -> list[str]:
        return [str(ipaddress.ip_network(network, strict=False)) for network in given]

    @field_validator("oidc_groups", mode="before")
    @classmethod
    def _read_table(cls, given: object) -> object:
        return json.loads(given) if isinstance(given, str) else given

    @field_validator("oidc_issuer", "public_url")
    @classmethod
    def _check_address(cls, given: str) -> str:
        """Take only addresses that nobody on the way can answer for."""
        parts = urlsplit(given)
        if given and not (parts.hostname and (parts.scheme == "https" or is_loopback_url(given))):
            raise ValueError("give an https address (http only on loopback)")
        if parts.query or parts.fragment or parts.username:
            raise ValueError("give an address without query, fragment or name")
        return given

    @field_validator("public_url")
    @classmethod
    def _check_origin(cls, given: str) -> str:
        address = given.rstrip("/")
        if urlsplit(address).path:
            raise ValueError("give it without a path; that is url_prefix")
        return address

    @model_validator(mode="after")
    def _check_provider(self) -> Self:
        if not self.oidc_issuer:
            return self
        if not self.oidc_client_id:
            raise ValueError("oidc_issuer needs an oidc_client_id")
        if not (self.oidc_domains or self.oidc_member_groups or self.oidc_admin_groups):
            raise ValueError("oidc_issuer needs a rule of who comes in: oidc_domains or oidc_member_groups")
        return self

    @property
    def proxies(self) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
        """The networks of proxies that are believed."""
        return [ipaddress.ip_network(network) for network in self.trusted_proxies]

    @property
    def admission_rules(self) -> AdmissionRules:
        """Who comes in by the identity provider."""
        return AdmissionRules(
            domains=frozenset(domain.casefold().lstrip("@") for domain in self.oidc_domains),
            member_groups=frozenset(self.oidc_member_groups),
            admin_groups=frozenset(self.oidc_admin_groups),
            groups=self.oidc_groups,
            groups_claim=self.oidc_groups_claim,
        )


def split_list(given: object) -> object:
    """Take one text with commas, or JSON, as a list."""
    if not isinstance(given, str):
        return given
    if given.lstrip().startswith("["):
        return json.loads(given)
    return [item.strip() for item in given.split(",") if item.strip()]


def is_loopback_host(host: str) -> bool:
    """Tell whether a name leads to this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == _LOOPBACK


def is_loopback_url(url: str) -> bool:
    """Tell whether an address leads to this machine alone."""
    return is_loopback_host(urlsplit(url).hostname or "")
