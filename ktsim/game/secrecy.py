"""What may be shown to whom: the one place every channel asks, on a screen, in a log, to a bot.

A viewer is a side, or nobody in particular (``None``): whoever looks at a screen both players share. Secret are the
answers to secret questions, an unrevealed tac op with whatever it offers, and the primary op (KT24-SELECT,
KT24-GAMBIT). What is chosen in secret and revealed together is in no state before it is revealed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Any, TypeAlias

from ktsim.rules.engine.decisions import Decision, Pick, PickSome
from ktsim.rules.engine.events import Chosen, Event, Noted
from ktsim.rules.engine.operative_events import ActionCancelled
from ktsim.rules.engine.state import SIDES, Side, State
from ktsim.rules.kt24.ops.kill_and_primary import primary_key
from ktsim.rules.kt24.ops.op import revealed_key, tac_key

Viewer: TypeAlias = Side | None

VEILED = "Something of your tac op"
"""The line that stands for options of an unrevealed op, whether or not there are any."""

REVEALS = frozenset(revealed_key(side) for side in SIDES)


# -- questions and answers ---------------------------------------------------------------------------


def may_see(decision: Decision[Any], viewer: Viewer) -> bool:
    """Whether what is secret about the question is the viewer's own."""
    return decision.seat == viewer


def shown(decision: Decision[Any], viewer: Viewer) -> Decision[Any]:
    """The question as the viewer may see it: without the options only its seat may know of.

    Whatever the rest says, refuses, samples or counts then depends on nothing secret.
    """
    if not isinstance(decision, (Pick, PickSome)) or may_see(decision, viewer):
        return decision
    public = tuple(option for option in decision.options if not option.secret)
    return decision if len(public) == len(decision.options) else replace(decision, options=public)


def is_veiled(decision: Decision[Any], viewer: Viewer) -> bool:
    """Whether the viewer is to be shown the line :data:`VEILED`."""
    return isinstance(decision, Pick) and decision.veiled and not may_see(decision, viewer)


def behind_veil(decision: Decision[Any]) -> str | None:
    """The answer the line :data:`VEILED` stands for now, if there is one: an op never offers two at a time."""
    options = decision.options if isinstance(decision, Pick) else ()
    return next((option.key for option in options if option.secret and option.refusal is None), None)


def is_secret(decision: Decision[Any], answer: Any) -> bool:
    """Whether the answer is for nobody but its seat to know."""
    options = decision.options if isinstance(decision, Pick) else ()
    return decision.secret or any(option.secret and option.key == answer for option in options)


def reveals(events: Iterable[Event]) -> bool:
    """Whether something secret came to light in *events*."""
    return any(isinstance(event, Chosen) and event.key in REVEALS for event in events)


# -- states ------------------------------------------------------------------------------------------


def hidden_from(state: State, viewer: Viewer) -> frozenset[str]:
    """The keys of choices and notes the viewer may not know of."""
    found = set()
    for side in SIDES:
        if side == viewer:
            continue
        found.add(primary_key(side))
        op = state.choices.get(tac_key(side))
        if op is not None and revealed_key(side) not in state.choices:
            found |= {tac_key(side), *(note for note in state.notes if note.startswith(f"{side}:{op}:"))}
    return frozenset(found & (state.choices.keys() | state.notes.keys()))


def seen_state(state: State, hidden: frozenset[str]) -> State:
    """The state without what is *hidden*; everything else it shares with the whole one."""
    if not hidden:
        return state
    choices = {key: value for key, value in state.choices.items() if key not in hidden}
    notes = {key: value for key, value in state.notes.items() if key not in hidden}
    return replace(state, choices=choices, notes=notes)


class SeenEvents:
    """The events of a game as one viewer sees them. They are asked for at every answer of a bot, so that only what was
    added since is looked at, unless something else is hidden now."""

    def __init__(self) -> None:
        self._hidden: frozenset[str] = frozenset()
        self._looked_at = 0
        self._found: list[Event] = []

    def of(self, events: Sequence[Event], hidden: frozenset[str]) -> list[Event]:
        """*events*, to which some may have been added since last time, without what is *hidden*."""
        if hidden != self._hidden:
            self._hidden, self._looked_at, self._found = hidden, 0, []
        self._found += seen_events(islice(events, self._looked_at, None), hidden)
        self._looked_at = len(events)
        return list(self._found)


def seen_events(events: Iterable[Event], hidden: frozenset[str]) -> list[Event]:
    """The events without what is *hidden*."""
    found: list[Event] = []
    for event in events:
        if not _may_tell(type(event)):
            found.append(event)
        elif isinstance(event, ActionCancelled):
            found.append(replace(event, before=seen_state(event.before, hidden)))
        elif not (isinstance(event, (Chosen, Noted)) and event.key in hidden):
            found.append(event)
    return found


@cache
def _may_tell(kind: type[Event]) -> bool:
    """Whether events of a kind can carry what is hidden from somebody."""
    return issubclass(kind, (ActionCancelled, Chosen, Noted))
