"""`Checkout`: what a client saw of the working copy that an event came from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Checkout:
    """Facts about a folder; empty text means not seen.

    `root` is the top level of the working copy, `common_dir` git's common directory (one for all worktrees),
    `remote` the URL of `upstream`, else `origin`, as git would use it; `origin` that of `origin` where `remote` is
    another. `machine` names the computer that the paths are on; inside WSL it is that of its Windows, `+` and the
    distribution. `dirty_count`, `ahead` and `behind` are what git counted at the session's start or after its last
    turn, None where it was not asked. `marker_*` come from the nearest `.memwiki.toml`. `brief` is "off" where nothing
    is to be told to this session, or how many characters it may be told; `run` is "one-shot" for a run without a
    person, "take" for one that wants open work all the same. `launch` names the `memwiki run` that started the agent.
    """

    cwd: str = ""
    root: str = ""
    common_dir: str = ""
    remote: str = ""
    origin: str = ""
    branch: str = ""
    revision: str = ""
    dirty: tuple[str, ...] = ()
    marker_workspace: str = ""
    marker_project: str = ""
    marker_aliases: tuple[str, ...] = ()
    machine: str = ""
    dirty_count: int | None = None
    ahead: int | None = None
    behind: int | None = None
    brief: str = ""
    run: str = ""
    launch: str = ""
