"""The settings: where each may stand, which wins, and what a wrong one stops."""

import os
from pathlib import Path

import pytest

from app import config
from app.config import Settings
from app.domain.errors import InvalidInput
from app.domain.person_errors import AddressOpen
from app.entrypoints.cli import serve


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(config.ENV_PREFIX):
            monkeypatch.delenv(name)


def write(folder: Path, text: str) -> Path:
    (folder / config.CONFIG_NAME).write_text(text, encoding="utf-8")
    return folder


def refuse(folder: Path, **given: object) -> str:
    with pytest.raises(InvalidInput) as refused:
        config.load_settings(data_dir=folder, **given)
    return str(refused.value)


def test_defaults_serve_this_machine_alone(tmp_path: Path) -> None:
    settings = config.load_settings(data_dir=tmp_path)

    assert (settings.host, settings.port, settings.access_token) == ("127.0.0.1", 7470, None)
    assert settings.is_loopback


def test_the_command_line_wins_over_the_environment_and_that_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, 'port = 1001\nworkspace = "file"\nlog_level = "debug"\n')
    monkeypatch.setenv("MEMWIKI_PORT", "1002")
    monkeypatch.setenv("MEMWIKI_WORKSPACE", "environment")

    settings = config.load_settings(data_dir=tmp_path, port=1003)

    assert (settings.port, settings.workspace, settings.log_level) == (1003, "environment", "debug")


def test_the_file_is_read_in_the_directory_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMWIKI_DATA_DIR", str(write(tmp_path, "port = 1001\n")))

    assert config.load_settings().port == 1001


def test_the_file_is_read_in_a_directory_named_from_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "memory").mkdir()
    write(tmp_path / "memory", "port = 1001\n")

    settings = config.load_settings(data_dir=Path("~/memory"))

    assert (settings.port, settings.data_dir) == (1001, tmp_path / "memory")


def test_a_relative_directory_becomes_absolute_and_stays_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = config.load_settings(data_dir=Path("here/../data"))

    monkeypatch.chdir("/")

    assert settings.data_dir == tmp_path / "data"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('port = "many"', "port"),
        ("port = 70000", "port"),
        ("port = -1", "port"),
        ("session_idle_seconds = 0", "session_idle_seconds"),
        ('log_level = "loud"', "log_level"),
        ('workspace = "../x"', "workspace"),
        ("allowed_hosts = 5", "allowed_hosts"),
        ('allowed_hosts = "[one"', "allowed_hosts"),
        ("colour = 1", "colour"),
        ("[server]\nport = 1", "server"),
        ("port = ", config.CONFIG_NAME),
        ("port = 1\nport = 2", config.CONFIG_NAME),
    ],
)
def test_a_wrong_setting_in_the_file_is_named(tmp_path: Path, text: str, key: str) -> None:
    assert key in refuse(write(tmp_path, text))


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / config.CONFIG_NAME).write_bytes(b"port = \xff\n")

    assert config.CONFIG_NAME in refuse(tmp_path)


@pytest.mark.parametrize(
    ("name", "value"), [("PORT", "many"), ("SESSION_IDLE_SECONDS", "0"), ("LOG_LEVEL", "loud"), ("WORKSPACE", "a/b")]
)
def test_a_wrong_setting_in_the_environment_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"MEMWIKI_{name}", value)

    assert name.lower() in refuse(tmp_path)


@pytest.mark.parametrize(
    ("value", "hosts"),
    [
        ("memory.example", ["memory.example"]),
        ("a.example, b.example", ["a.example", "b.example"]),
        ('["a.example", "b.example"]', ["a.example", "b.example"]),
        ("", []),
    ],
)
def test_hosts_in_the_environment_are_a_list_in_json_or_with_commas(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, hosts: list[str]
) -> None:
    monkeypatch.setenv("MEMWIKI_ALLOWED_HOSTS", value)

    assert config.load_settings(data_dir=tmp_path).allowed_hosts == hosts


def test_the_clients_variables_are_no_settings_of_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("URL", "CAPTURE", "SPOOL_DIR", "OWN_RUN"):
        monkeypatch.setenv(f"MEMWIKI_{name}", "x")

    assert config.load_settings(data_dir=tmp_path).port == 7470


@pytest.mark.parametrize("name", ["MEMWIKI_PORT", "MEMWIKI_HOST", "MEMWIKI_DATA_DIR", "MEMWIKI_ACCESS_TOKEN"])
def test_an_empty_variable_counts_as_not_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(name, "")

    settings = config.load_settings()

    assert (settings.port, settings.host, settings.access_token) == (7470, "127.0.0.1", None)
    assert settings.data_dir != tmp_path


@pytest.mark.parametrize("token", ["", " ", "\n"])
def test_a_blank_token_is_none_and_opens_no_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("MEMWIKI_ACCESS_TOKEN", token)
    settings = config.load_settings(data_dir=tmp_path, host="0.0.0.0")  # noqa: S104 - that it is refused is the point

    assert settings.access_token is None
    with pytest.raises(AddressOpen):
        serve.check_posture(settings, has_admin=False)


def test_a_blank_token_in_the_file_is_none(tmp_path: Path) -> None:
    assert config.load_settings(data_dir=write(tmp_path, 'access_token = " "')).access_token is None


def test_a_token_is_read_from_the_first_line_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "token").write_text("  mw_secret \nrest\n", encoding="utf-8")
    monkeypatch.setenv("MEMWIKI_ACCESS_TOKEN_FILE", str(tmp_path / "token"))

    settings = config.load_settings(data_dir=tmp_path)

    assert settings.access_token is not None
    assert settings.access_token.get_secret_value() == "mw_secret"


@pytest.mark.parametrize("content", [None, b"", b"\n", b"  \nrest", b"\xff\xfe"])
def test_a_token_file_without_a_token_stops_the_start(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "token"
    if content is not None:
        path.write_bytes(content)

    assert "access_token_file" in refuse(tmp_path, access_token_file=path)


def test_the_token_is_in_no_picture_of_the_settings(tmp_path: Path) -> None:
    settings = config.load_settings(data_dir=tmp_path, access_token="mw_secret")

    assert "mw_secret" not in repr(settings) + str(settings) + settings.model_dump_json()


def test_a_wrong_value_beside_a_token_does_not_show_it(tmp_path: Path) -> None:
    assert "mw_secret" not in refuse(write(tmp_path, 'access_token = "mw_secret"\nport = "x"\n'))
    assert "mw_secret" not in refuse(write(tmp_path, 'access_token = ["mw_secret"]\n'))


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.8.9.1"])
def test_loopback_needs_no_proof(tmp_path: Path, host: str) -> None:
    serve.check_posture(config.load_settings(data_dir=tmp_path, host=host), has_admin=False)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "memory.example", "", "127.0.0.1.evil.example"])  # noqa: S104
def test_any_other_address_needs_one_and_the_refusal_names_two_ways_out(tmp_path: Path, host: str) -> None:
    settings = config.load_settings(data_dir=tmp_path, host=host)

    with pytest.raises(AddressOpen) as refused:
        serve.check_posture(settings, has_admin=False)

    assert "127.0.0.1" in str(refused.value)
    assert "memwiki user add" in str(refused.value)
    serve.check_posture(settings, has_admin=True)
    secret = config.load_settings(data_dir=tmp_path, host=host, access_token="mw_secret")
    serve.check_posture(secret, has_admin=False)


def test_every_setting_says_what_it_is_for() -> None:
    assert all(field.description for field in Settings.model_fields.values())


@pytest.mark.parametrize(
    "given",
    [
        {"trusted_proxies": "127.0.0.1"},
        {"allowed_hosts": "memory.example"},
        {"public_url": "https://memory.example"},
    ],
    ids=lambda given: next(iter(given)),
)
def test_loopback_behind_a_proxy_is_not_taken_for_open(tmp_path: Path, given: dict[str, str]) -> None:
    settings = config.load_settings(data_dir=tmp_path, **given)

    with pytest.raises(AddressOpen):
        serve.check_posture(settings, has_admin=False)
    serve.check_posture(settings, has_admin=True)


@pytest.mark.parametrize("given", [{"allowed_hosts": "localhost"}, {"public_url": "http://127.0.0.1:7470"}], ids=str)
def test_names_of_this_machine_alone_need_no_proof(tmp_path: Path, given: dict[str, str]) -> None:
    serve.check_posture(config.load_settings(data_dir=tmp_path, **given), has_admin=False)


def test_a_setup_secret_or_a_provider_of_administrators_lets_a_server_start(tmp_path: Path) -> None:
    other = {"data_dir": tmp_path, "host": "192.168.1.2"}
    provider = {
        "oidc_issuer": "https://id.example",
        "oidc_client_id": "us",
        "public_url": "https://memory.example",
        "oidc_domains": "example.org",
    }

    serve.check_posture(config.load_settings(**other, setup_secret="s"), has_admin=False)
    serve.check_posture(config.load_settings(**other, **provider, oidc_admin_groups="wheel"), has_admin=False)
    with pytest.raises(AddressOpen):
        serve.check_posture(config.load_settings(**other, **provider), has_admin=False)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"trusted_proxies": "proxy.example"}, "trusted_proxies"),
        ({"public_url": "http://memory.example"}, "public_url"),
        ({"public_url": "https://memory.example/wiki"}, "url_prefix"),
        ({"oidc_issuer": "http://id.example"}, "oidc_issuer"),
        ({"oidc_issuer": "https://id.example"}, "oidc_client_id"),
        ({"oidc_issuer": "https://id.example", "oidc_client_id": "us"}, "oidc_domains"),
        ({"password_memory_kib": "1"}, "password_memory_kib"),
    ],
    ids=str,
)
def test_settings_of_people_that_make_no_sense_stop_the_start(tmp_path: Path, given: dict[str, str], said: str) -> None:
    assert said in refuse(tmp_path, **given)
