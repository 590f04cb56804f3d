"""What goes wrong with an identity provider, as leaves of the tree in `errors.py`."""

from app.domain.errors import Conflict, Forbidden, InvalidInput, NotFound, Unauthenticated, UpstreamFailed


class ProofRejected(Unauthenticated):
    """What a provider signed, or what a browser brought back from it, is not good; `reason` says why."""

    code = "proof_rejected"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"what the identity provider gave is refused: {reason}; sign in again")


class SignInOver(Unauthenticated):
    """Nobody began this sign-in in this browser, or it took too long, or it is done."""

    code = "sign_in_over"

    def __init__(self) -> None:
        super().__init__("this sign-in is over, or was begun in another browser; begin it again")


class NotAdmitted(Forbidden):
    """The provider knows the person, and no rule of this server lets it in."""

    code = "not_admitted"

    def __init__(self) -> None:
        super().__init__(
            "the identity provider knows you, and this server lets you not in: ask an administrator to add one of "
            "your groups or the domain of your address to its settings"
        )


class ProviderUnavailable(UpstreamFailed):
    """The provider does not answer, or not as it should."""

    code = "provider_unavailable"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the identity provider cannot be asked: {reason}; try again in a moment")


class ProviderRefused(InvalidInput):
    """The provider will not go on with a sign-in; `reason` is its own word for why."""

    code = "provider_refused"

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the identity provider refuses: {reason[:200]}")


class NoProvider(NotFound):
    """This server has no identity provider, or the provider has no flow of this kind."""

    code = "no_provider"

    def __init__(self, what: str = "sign-in by an identity provider") -> None:
        super().__init__(f"this server has no {what}")


class SubjectTaken(Conflict):
    """Whom the provider names is somebody else here already."""

    code = "subject_taken"

    def __init__(self, person: str) -> None:
        self.person = person
        super().__init__(
            f"whom the identity provider names here is {person or 'somebody'} already; an administrator can end that "
            f"(memwiki user unlink {person or 'NAME'}), and then it can be linked"
        )


class LinkNotFound(NotFound):
    """No identity provider's person is this account's."""

    code = "link_not_found"

    def __init__(self, person: str) -> None:
        self.person = person
        super().__init__(f"{person} is linked with nobody whom an identity provider names")


class OnlyWay(Conflict):
    """Somebody would have no way in any more."""

    code = "only_way"

    def __init__(self) -> None:
        super().__init__("you have no password, so that you could not sign in any more; have one set first")


class BrowserNeeded(Forbidden):
    """Only whoever is signed in with a browser may do this to its own account."""

    code = "browser_needed"

    def __init__(self) -> None:
        super().__init__("sign in with this browser first; an access token alone links no account")
