"""Values of which many are made for each event: frozen to the type checker, and plain when they run.

A frozen dataclass sets each field past its own guard, at five times the cost of setting it; an eighth of all that
taking an event costs went there. Nothing that changes one of these passes the type checker, and so the guard has
nothing to do.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

__all__ = ["cheap_dataclass"]

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import dataclass as cheap_dataclass
else:

    def cheap_dataclass(*, frozen: bool, slots: bool) -> Callable[[type[T]], type[T]]:
        """Make a dataclass that is compared and hashed by its values, as a frozen one is.

        It goes to another process as its values alone; by itself it would go as a dict of them, at twice the cost.
        """

        def make(cls: type[T]) -> type[T]:
            made = dataclass(slots=slots, unsafe_hash=frozen)(cls)
            names = [field.name for field in fields(made)]
            take = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)
            made.__reduce__ = lambda self: (type(self), take(self))
            return made

        return make
