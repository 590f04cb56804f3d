"""How much everything takes, as the status tells it."""

from tests.entrypoints.serving import Server, new_name


def test_the_status_tells_sizes_only_when_asked(server: Server) -> None:
    assert "sizes" not in server.read("/status")
    assert "sizes" in server.read("/status", sizes="true")


def test_every_table_and_folder_is_listed_with_its_size(server: Server) -> None:
    session = new_name()
    for number in range(5):
        server.run(session, f"make {number}", "x" * 4000)

    sizes = server.read("/status", sizes="true")["sizes"]

    tables = {table["name"]: table for table in sizes["tables"]}
    folders = {folder["name"]: folder for folder in sizes["folders"]}
    assert {"observations", "ingest_keys", "raw_segments", "sessions", "jobs", "audit"} <= tables.keys()
    assert tables["observations"]["rows"] == 5
    assert tables["observations"]["bytes"] > 5 * 4000
    assert set(folders) == {"state", "raw", "wiki", "index", "logs"}
    assert folders["state"]["bytes"] >= sum(table["bytes"] for table in tables.values())
    assert not any(folder["is_cut"] for folder in folders.values())


def test_sizes_are_not_measured_again_within_a_minute(server: Server) -> None:
    first = server.read("/status", sizes="true")["sizes"]
    server.ask(new_name(), "One more.")

    assert server.read("/status", sizes="true")["sizes"] == first
