"""What can be wrong with backups and with what is asked of them, as leaves of the tree in `errors.py`."""

from app.domain.errors import Conflict, Corrupt, InvalidInput, NotFound, UpstreamFailed


class BackupUnreadable(Corrupt):
    """A backup is damaged, cut, or no backup at all."""

    code = "backup_unreadable"

    def __init__(self, file: str, reason: str) -> None:
        self.file, self.reason = file, reason
        super().__init__(f"backup {file} cannot be used: {reason}")


class PassphraseRefused(InvalidInput):
    """A backup is encrypted and the passphrase is missing or another one."""

    code = "passphrase_refused"

    def __init__(self, file: str, reason: str) -> None:
        self.file = file
        super().__init__(f"backup {file} is encrypted: {reason}")


class BackupMisplaced(InvalidInput):
    """A backup was to be written into what it is a copy of."""

    code = "backup_misplaced"

    def __init__(self, file: str, folder: str) -> None:
        super().__init__(
            f"{file} lies inside {folder}, which is what is backed up; name a place outside, or in backups/"
        )


class FolderOccupied(Conflict):
    """A restore would have mixed with what is there."""

    code = "folder_occupied"

    def __init__(self, folder: str) -> None:
        super().__init__(
            f"{folder} is not empty; restore into a new folder, look at it, then put it in the old one's place"
        )


class BackupNotFound(NotFound):
    """There is no backup, or no data to make one of."""

    code = "backup_not_found"

    def __init__(self, what: str) -> None:
        super().__init__(f"there is no {what}")


class ReleaseUnknown(UpstreamFailed):
    """An index of packages was asked for the latest release and did not tell."""

    code = "release_unknown"

    def __init__(self, url: str, reason: str) -> None:
        self.url = url
        super().__init__(f"{url} does not tell the latest release: {reason}")


class DrillUnfinished(UpstreamFailed):
    """A drill that the server ran by itself came to no result."""

    code = "drill_unfinished"

    def __init__(self, reason: str) -> None:
        super().__init__(f"the restore drill came to no result: {reason}")
