"""Signing in from the command line, and what tells clients of an identity provider; open to everybody."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse
from pydantic import Field, SecretStr

from app.access import founding, provider_sign_in, signing_in
from app.access.founding import Founding
from app.access.provider_sign_in import ProviderParts
from app.domain import limits
from app.domain.provider_errors import NoProvider
from app.entrypoints import people_shapes, traces
from app.entrypoints.http.dependencies import JsonBody, TheRuntime
from app.entrypoints.shapes import Shape, shape_moment
from app.wiring import Runtime

router = APIRouter(tags=["people"])
metadata = APIRouter(tags=["people"])

_METADATA = "/.well-known/oauth-protected-resource"
_MCP = "/mcp"


class PasswordBody(JsonBody):
    """Who signs in, and what the token is for that is made."""

    name: str = Field(max_length=limits.NAME_CHARS_MAX)
    password: SecretStr
    token_name: str = Field("login", max_length=limits.TOKEN_NAME_CHARS_MAX)


class FirstBody(JsonBody):
    """Who is to be the first administrator, by the secret that the server was started with."""

    secret: SecretStr
    name: str = Field(max_length=limits.NAME_CHARS_MAX)
    password: SecretStr = SecretStr("")


class DeviceBody(JsonBody):
    """Nothing: a machine begins to wait."""


class PollBody(JsonBody):
    """What a machine was given when it began to wait, and what the token is for that is made."""

    handle: SecretStr
    token_name: str = Field("login", max_length=limits.TOKEN_NAME_CHARS_MAX)


@router.get("/login")
async def list_ways(runtime: TheRuntime) -> Shape:
    """Tell by which ways somebody can sign in here."""
    return {
        "open": runtime.gate.is_open,
        "password": runtime.gate.has_people,
        "provider": runtime.provider is not None,
        "setup": bool(runtime.setup_secret) and not runtime.gate.has_admin,
    }


@router.post("/login/password", status_code=201)
async def log_in(runtime: TheRuntime, request: Request, body: PasswordBody) -> Shape:
    """Sign in by name and password; gives an access token for this machine, which ends by itself."""
    attempt = signing_in.Attempt(_find_address(request), body.name, body.password.get_secret_value())
    prove, parts = signing_in.log_in, runtime.people
    with traces.note_throttled():
        issued = await runtime.run(prove, parts, runtime.throttle, attempt, body.token_name)
    return people_shapes.shape_login(issued)


@router.post("/login/first", status_code=201)
async def set_up(runtime: TheRuntime, request: Request, body: FirstBody) -> Shape:
    """Make the first administrator by the secret that the server was started with, once; gives its access token."""
    secret, password = body.secret.get_secret_value(), body.password.get_secret_value()
    wish = Founding(_find_address(request), secret, body.name, password)
    with traces.note_throttled():
        made = await runtime.run(founding.found, runtime.people, runtime.throttle, runtime.setup_secret, wish)
    return people_shapes.shape_login(made)


@router.post("/login/device", status_code=201)
async def begin_device(runtime: TheRuntime, body: DeviceBody) -> Shape:
    """Begin a sign-in that a person goes on with in a browser elsewhere; `handle` is to be kept secret."""
    del body
    parts = _get_provider(runtime)
    secret, code = await runtime.run(provider_sign_in.begin_device, parts)
    return {
        "handle": secret,
        "user_code": code.user_code,
        "page": code.page,
        "page_with_code": code.page_with_code,
        "expires_at": shape_moment(code.expires_at),
        "poll_seconds": code.poll_seconds,
    }


@router.post("/login/device/poll")
async def poll_device(runtime: TheRuntime, request: Request, body: PollBody) -> Shape:
    """Ask how far a machine's sign-in is: `waiting`, or an access token for this machine, which ends by itself."""
    parts = _get_provider(runtime)
    handle, address = body.handle.get_secret_value(), _find_address(request)
    issued = await runtime.run(provider_sign_in.poll_device, parts, handle, body.token_name, address)
    return {"waiting": True} if issued is None else {"waiting": False, **people_shapes.shape_login(issued)}


@metadata.get(_METADATA)
async def describe_server(runtime: TheRuntime) -> JSONResponse:
    """Tell clients that speak OAuth who gives out access tokens for this server (RFC 9728)."""
    return _describe(runtime, runtime.find_address())


@metadata.get(_METADATA + "/{resource:path}")
async def describe_resource(
    runtime: TheRuntime, resource: Annotated[str, Path(description="`mcp`: the tools.")]
) -> JSONResponse:
    """Tell the same of one resource of this server."""
    if f"/{resource.strip('/')}" not in {_MCP, f"{runtime.url_prefix}{_MCP}"}:
        raise NoProvider("resource of this name")
    return _describe(runtime, f"{runtime.find_address()}{_MCP}")


def find_metadata_url(runtime: Runtime) -> str:
    """Find where clients learn who gives out access tokens; empty where nobody does."""
    return "" if runtime.provider is None else f"{runtime.find_address()}{_METADATA}{_MCP}"


def _describe(runtime: Runtime, resource: str) -> JSONResponse:
    settings = _get_provider(runtime).provider.settings
    return JSONResponse(
        {
            "resource": resource,
            "resource_name": "memwiki",
            "authorization_servers": [settings.issuer],
            "scopes_supported": settings.scopes.split(),
            "bearer_methods_supported": ["header"],
        }
    )


def _get_provider(runtime: Runtime) -> ProviderParts:
    if runtime.provider is None:
        raise NoProvider
    return runtime.provider


def _find_address(request: Request) -> str:
    return request.client.host if request.client else ""
