"""What the documents for operators tell them to type, and how each of it is tried: as it stands, or by another test."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).parents[2] / "docs"
_GENERATED = re.compile(r"<!-- commands: generated -->.*?<!-- /commands -->", re.DOTALL)
_BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
_SPAN = re.compile(r"`(memwiki [^`]+)`")

# Typed one after the other at one desk: what a person fills in stands in braces, and what is asked behind `<`.
OPEN: Final = {
    "memwiki install": "install",
    "memwiki install AGENT": "install claude-code",
    "memwiki install AGENT --apply": "install claude-code --apply",
    "memwiki install claude-code --http-hooks": "install claude-code --http-hooks",
    "memwiki doctor --fix": "doctor --fix",
    "memwiki uninstall AGENT --apply": "uninstall claude-code --apply",
    "memwiki backfill": "backfill",
    "memwiki bootstrap [FOLDER]": "bootstrap {folder}",
    "memwiki upgrade check": "upgrade check --data-dir {data}",
    "memwiki status": "status",
    "memwiki status --sizes": "status --sizes",
    "memwiki service": "service",
    "memwiki rule list": "rule list -p shop",
    "memwiki proposal list": "proposal list -p shop",
    "memwiki curate": "curate -p shop",
    "memwiki lint": "lint -p shop",
    "memwiki search --why": "search lexer --why",
    "memwiki search --grain observations": "search lexer --grain observations",
    "memwiki session compile ID": "session compile {session}",
    "memwiki session show": "session show {session}",
    "memwiki reindex": "reindex",
    "memwiki maintain": "maintain",
    "memwiki export okf PROJECT --to DIR": "export okf shop --to {bundle}",
    "memwiki import okf DIR --project NAME --create": "import okf {bundle} --project kiosk --create",
    "memwiki project archive": "project archive -p kiosk",
    "memwiki project list --archived": "project list --archived",
    "memwiki page restore PATH --at REV": "page restore notes/a.md --at {revision} -p shop",
    "memwiki purge session": "purge session {session}",
    "memwiki purge session ID": "purge session {session}",
    "memwiki purge session ID --apply --rewrite-history": "purge session {session} --apply --rewrite-history --yes",
    "memwiki project rename main/shop store": "project rename main/shop store",
    "memwiki project rename main/shop store --apply": "project rename main/shop store --apply",
    "memwiki project move main/store retail --apply": "project move main/store retail --apply",
    "memwiki project merge retail/store main/stalls --apply": "project merge retail/store main/stalls --apply --yes",
    "memwiki audit list": "audit list",
    "memwiki audit verify": "audit verify",
    "memwiki backup": "backup --data-dir {data}",
    "memwiki backup verify": "backup verify {kept}",
    "memwiki backup verify /mnt/nas/memwiki.tar.zst": "backup verify {kept}",
    "memwiki restore": "restore {kept} --data-dir {again}-once-more",
    "memwiki restore /mnt/nas/memwiki.tar.zst --data-dir /srv/memwiki-new": "restore {kept} --data-dir {again}",
    "memwiki key new ~/memwiki.key": "key new {key}",
    "memwiki key rotate": "key rotate --data-dir {again}",
    "memwiki user add ann --admin --data-dir DIR": "user add ann --admin --data-dir {again}",
    "memwiki user reset-password NAME --data-dir DIR": "user reset-password ann --data-dir {again} --password-stdin "
    "<a long new password",
    "memwiki user add NAME --admin --data-dir DIR": "user add bea --admin --data-dir {again}",
}

# The same by an administrator, whose token the restored server asks for.
SIGNED_IN: Final = {
    "memwiki user add NAME": "user add carl",
    "memwiki token create NAME": "token create laptop",
    "memwiki token create prometheus --right read": "token create prometheus --right read",
    "memwiki project restrict": "project restrict -p stalls",
    "memwiki grant add NAME read|write|manage": "grant add carl read -p stalls",
    "memwiki grant add @platform write -p shop": "grant add @platform write -p stalls",
    "memwiki user signed-in": "user signed-in",
    "memwiki user link NAME --subject SUB": "user link carl --subject 248289 --issuer https://id.example.org",
    "memwiki user unlink NAME": "user unlink carl",
    "memwiki export person NAME --to FILE.zip": "export person carl --to {zip}",
    "memwiki purge person NAME": "purge person carl",
}

# The same where nobody can type commands on the server's machine, and a secret makes the first administrator.
WITH_SECRET: Final = {
    "memwiki user add NAME --admin --setup-secret-file FILE --url URL": "user add ann --admin --setup-secret-file "
    "{secret} --url {url}",
}
TYPED: Final = {**OPEN, **SIGNED_IN, **WITH_SECRET}

# What no test can do inside itself, or what another one does with more around it.
COVERED: Final = {
    "memwiki serve": "run_server",
    "memwiki serve --data-dir DIR --port PORT": "run_server",
    "memwiki serve --data-dir DIR --host 0.0.0.0": "test_an_address_for_other_machines_needs_an_administrator",
    "memwiki backup --to /mnt/nas/memwiki.tar.zst --encrypt": "test_an_encrypted_one_shows_nothing_and_opens_by_its"
    "_passphrase_alone",
    "memwiki restore-drill": "test_a_drill_compares_with_the_running_server_and_notes_its_result",
    "memwiki upgrade check --online": "test_nobody_is_asked_unless_a_person_says_so",
    "memwiki doctor": "test_wired_agents_are_well_and_nothing_is_left_of_the_rehearsals",
    "memwiki doctor AGENT": "test_wired_agents_are_well_and_nothing_is_left_of_the_rehearsals",
    "memwiki doctor [AGENT…]": "test_wired_agents_are_well_and_nothing_is_left_of_the_rehearsals",
    "memwiki doctor codex": "test_wired_agents_are_well_and_nothing_is_left_of_the_rehearsals",
    "memwiki install AGENT --keep-token --apply": "test_every_command_reads_the_token_that_is_kept_for_the_hooks",
    "memwiki run": "test_an_agent_is_wired_once_and_keeps_its_words_terminal_and_exit_code",
    "memwiki run AGENT [ARGUMENT]...": "test_an_agent_is_wired_once_and_keeps_its_words_terminal_and_exit_code",
    "memwiki continue": "test_the_same_agent_goes_on_in_its_own_session",
    "memwiki bench hooks": "test_the_hooks_family_measures_every_way_of_sending",
    "memwiki key spool": "test_the_command_makes_a_key_that_only_its_owner_can_read",
    "memwiki rule approve ID": "test_an_approved_wish_is_a_rule_and_a_decided_one_cannot_be_decided_again",
    "memwiki login": "test_a_machine_is_signed_in_by_name_and_password",
    "memwiki logout": "test_a_machine_is_signed_in_by_name_and_password",
}


def list_commands() -> Iterator[str]:
    """List what the documents tell people to type, with no notes behind it."""
    for name in ("operations.md", "proxies.md"):
        text = _GENERATED.sub("", (DOCS / name).read_text(encoding="utf-8"))
        for block in _BLOCK.findall(text):
            lines = (re.sub(r"\s+#.*$", "", line).strip() for line in block.splitlines())
            yield from (line for line in lines if line.startswith("memwiki "))
        yield from (" ".join(span.split()) for span in _SPAN.findall(_BLOCK.sub("", text)))
