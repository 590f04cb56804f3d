"""What `memwiki config show` prints, and variables that nobody knows."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app.entrypoints.cli import main, maintain_config

APP = Path(__file__).parents[2] / "app"


def show(folder: Path, **environ: str) -> dict[str, dict[str, str]]:
    done = CliRunner().invoke(main.app, ["config", "show", "--data-dir", str(folder), "--json"], env=environ)
    assert done.exit_code == 0, done.output
    return {row["name"]: row for row in json.loads(done.stdout)["settings"]}


def test_each_setting_is_told_with_its_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MEMWIKI_PORT", raising=False)
    (tmp_path / "memwiki.toml").write_text('workspace = "team"\nport = 7000\n', encoding="utf-8")

    rows = show(tmp_path, MEMWIKI_PORT="7001")

    assert (rows["port"]["value"], rows["port"]["source"]) == (7001, "environment")
    assert (rows["workspace"]["value"], rows["workspace"]["source"]) == ("team", "file")
    assert (rows["data_dir"]["value"], rows["data_dir"]["source"]) == (str(tmp_path), "option")
    assert rows["log_level"]["source"] == "default"


def test_secrets_are_masked_wherever_they_come_from(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("mw_zyx\n", encoding="utf-8")

    for environ in ({"MEMWIKI_ACCESS_TOKEN": "mw_zyx"}, {"MEMWIKI_ACCESS_TOKEN_FILE": str(tmp_path / "secret")}):
        rows = show(tmp_path, **environ)

        assert rows["access_token"]["value"] == "***"
        assert "mw_zyx" not in json.dumps(rows)


def test_a_misspelt_variable_is_named_with_what_was_meant() -> None:
    environ = {"MEMWIKI_LOG_LEVL": "debug", "MEMWIKI_URL": "http://x", "MEMWIKI_PORT": "1", "OTHER": "x"}

    assert maintain_config.find_unknown(environ) == [{"name": "MEMWIKI_LOG_LEVL", "meant": "MEMWIKI_LOG_LEVEL"}]


def test_every_variable_that_the_code_reads_is_known() -> None:
    named = {
        name
        for path in APP.rglob("*.py")
        for name in re.findall(r"MEMWIKI_[A-Z_]+[A-Z]", path.read_text(encoding="utf-8"))
    }

    assert maintain_config.find_unknown(dict.fromkeys(named, "x")) == []
