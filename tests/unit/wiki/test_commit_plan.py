"""Which commits a batch becomes."""

from datetime import UTC, datetime

from app.wiki.commit_plan import (
    OUTSIDE_AUTHOR,
    CommitRequest,
    hash_blob,
    plan_commits,
    render_message,
    render_person,
    render_stream,
)

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def request(place: str, author: str = "Ann", before: bytes | None = None) -> CommitRequest:
    return CommitRequest((place,), f"Write {place}", author, NOW, "s1", {} if before is None else {place: before})


def copy(content: bytes) -> str:
    return hash_blob(content, "sha1")


def test_what_git_has_already_is_no_commit() -> None:
    assert plan_commits([request("a")], {"a": copy(b"1")}, {"a": b"1"}) == ()
    assert plan_commits([request("a")], {"a": ""}, {"a": None}) == ()


def test_file_that_is_gone_is_deleted() -> None:
    (commit,) = plan_commits([request("a")], {"a": copy(b"1")}, {"a": None})

    assert commit.contents == {"a": None}


def test_file_that_cannot_be_read_now_stays_in_git() -> None:
    assert plan_commits([request("a")], {"a": copy(b"1")}, {}) == ()


def test_two_changes_of_one_page_are_two_commits_with_their_own_texts() -> None:
    first, second = plan_commits([request("a"), request("a", "Bob", b"1")], {"a": ""}, {"a": b"2"})

    assert (first.author, dict(first.contents)) == ("Ann", {"a": b"1"})
    assert (second.author, dict(second.contents)) == ("Bob", {"a": b"2"})


def test_outside_edit_that_a_change_replaced_gets_its_own_commit_first() -> None:
    first, second = plan_commits([request("a", "Bob", b"by hand")], {"a": copy(b"old")}, {"a": b"new"})

    assert (first.author, dict(first.contents)) == (OUTSIDE_AUTHOR, {"a": b"by hand"})
    assert (second.author, dict(second.contents)) == ("Bob", {"a": b"new"})


def test_edit_after_the_last_change_waits_for_its_own_request() -> None:
    saved = CommitRequest(("a",), "m", "Ann", NOW, after={"a": b"saved"})

    (alone,) = plan_commits([saved], {"a": ""}, {"a": b"by hand"})
    both = plan_commits([saved, request("a", OUTSIDE_AUTHOR)], {"a": ""}, {"a": b"by hand"})

    assert dict(alone.contents) == {"a": b"saved"}
    assert [(commit.author, dict(commit.contents)) for commit in both] == [
        ("Ann", {"a": b"saved"}),
        (OUTSIDE_AUTHOR, {"a": b"by hand"}),
    ]


def test_change_that_git_has_already_brings_back_nothing_older() -> None:
    saved = CommitRequest(("a",), "m", "Ann", NOW, before={"a": b"old"}, after={"a": b"new"})

    assert plan_commits([saved], {"a": copy(b"new")}, {"a": b"new"}) == ()


def test_pages_of_one_session_are_one_commit_and_other_sessions_their_own() -> None:
    requests = [request("a"), request("b"), CommitRequest(("c",), "m", "Ann", NOW, "s2"), request("d")]

    commits = plan_commits(requests, {}, dict.fromkeys("abcd", b"1"))

    assert [sorted(commit.contents) for commit in commits] == [["a", "b", "d"], ["c"]]


def test_message_is_one_line_with_the_session_as_trailer() -> None:
    assert render_message("Write\n\nnotes/a", "s 1\nx") == "Write notes/a\n\nMemwiki-Session: s1x\n"


def test_author_has_a_made_up_address_and_cannot_break_the_stream() -> None:
    assert (
        render_person("Ann <ann@example.org>\nfrom x")
        == "Ann ann@example.org from x <ann-ann-example.org-from-x@memwiki>"
    )
    assert render_person(" ") == "memwiki <memwiki@memwiki>"


def test_stream_holds_every_byte_of_a_file_and_deletes_first() -> None:
    (commit,) = plan_commits(
        [CommitRequest(("a", "b/c", '"q"'), "m", "Ann", NOW)],
        {"a": copy(b"1"), "b/c": "", '"q"': ""},
        {"a": None, "b/c": b"x\x00\nM 1", '"q"': b"1"},
    )

    stream = render_stream([commit], "f" * 40)

    assert stream.index(b"D a\n") < stream.index(b"M 100644")
    assert b"M 100644 inline b/c\ndata 6\nx\x00\nM 1\n" in stream
    assert b'M 100644 inline "\\"q\\""\n' in stream
    assert b"from " + b"f" * 40 in stream


def change(place: str, session_id: str) -> CommitRequest:
    return CommitRequest((place,), f"Write {place}", "Ann", NOW, session_id)


def list_planned(*requests: CommitRequest) -> list[tuple[str, list[str]]]:
    places = {place: place.encode() for request in requests for place in request.places}
    planned = plan_commits(requests, dict.fromkeys(places, ""), places)
    return [(commit.session_id, sorted(commit.contents)) for commit in planned]


def test_what_comes_between_a_sessions_changes_leaves_them_one_commit() -> None:
    assert list_planned(change("a", "s1"), change("b", ""), change("c", "s2"), change("index", "s1")) == [
        ("s1", ["a", "index"]),
        ("", ["b"]),
        ("s2", ["c"]),
    ]


def test_a_page_that_others_changed_meanwhile_keeps_its_order() -> None:
    requests = [
        CommitRequest(("a",), "m", "Ann", NOW, "s1", after={"a": b"1"}),
        CommitRequest(("index",), "m", "Bob", NOW, "s2", after={"index": b"2"}),
        CommitRequest(("index",), "m", "Ann", NOW, "s1", before={"index": b"2"}, after={"index": b"3"}),
    ]

    first, second = plan_commits(requests, {"a": "", "index": ""}, {"a": b"1", "index": b"3"})

    assert (first.session_id, dict(first.contents)) == ("s2", {"index": b"2"})
    assert (second.session_id, dict(second.contents)) == ("s1", {"a": b"1", "index": b"3"})


def test_changes_that_cannot_pass_each_other_stay_apart() -> None:
    requests = [
        CommitRequest(("a",), "m", "Ann", NOW, "s1", after={"a": b"1"}),
        CommitRequest(("a", "index"), "m", "Bob", NOW, "", before={"a": b"1"}, after={"a": b"2", "index": b"2"}),
        CommitRequest(("index",), "m", "Ann", NOW, "s1", before={"index": b"2"}, after={"index": b"3"}),
    ]

    planned = plan_commits(requests, {"a": "", "index": ""}, {"a": b"2", "index": b"3"})

    assert [commit.session_id for commit in planned] == ["s1", "", "s1"]
