"""What a bot's activation was, in a few lines, to be read before the game goes on; and the panel that shows it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ktsim.app.play.sequence import SHOOTS, is_attack
from ktsim.app.play.walking import ShownWalk, walks_in
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.game.game import Game
from ktsim.rules.engine.events import Event, Told, VpScored
from ktsim.rules.engine.operative_events import (
    ActionBegan,
    ActionCancelled,
    ActionEnded,
    ActivationBegan,
    ActivationEnded,
    Incapacitated,
    Moved,
    Stopped,
    Wounded,
)
from ktsim.rules.engine.state import Path, Point
from ktsim.sight.part_names import spaced

MOST_REASONS = 2


@dataclass(frozen=True)
class RecapLine:
    """One thing that happened: *text* below an *icon*."""

    icon: str
    text: str
    is_grave: bool = False


@dataclass(frozen=True)
class Recap:
    """An activation that is over: whose it was, what was done in it and why."""

    operative: str
    side: str
    title: str
    lines: tuple[RecapLine, ...]
    reasons: tuple[str, ...] = ()
    walks: tuple[ShownWalk, ...] = ()
    subjects: tuple[str, ...] = ()
    """Whoever was attacked or hurt."""
    hits: tuple[tuple[str, int], ...] = ()
    """What each has lost, in wounds."""


ICONS = {"Shoot": "target", "Fight": "swords", "Charge": "charge", "Dash": "dash", "Reposition": "steps"}


def recap_of(game: Game, events: Sequence[Event], before: dict[str, Point], reasons: Sequence[str]) -> Recap:
    """The recap of *events*, which begin with an activation; *before* is where everybody stood."""
    battle = game.battle
    begun = events[0]
    assert isinstance(begun, ActivationBegan)
    lines: list[RecapLine] = []
    subjects: list[str] = []
    hits: dict[str, int] = {}
    here = dict(before)
    attacked: Told | None = None
    """The attack of which nothing has come so far."""
    for event in events[1:]:
        if attacked is not None and (
            isinstance(event, ActionBegan | ActionEnded | ActivationEnded)
            or (isinstance(event, Told) and is_attack(event, game.state))
        ):
            lines.append(_vain(attacked, battle.name))
            attacked = None
        if isinstance(event, ActionBegan):
            icon = ICONS.get(event.action, "act")
            whose = f"{battle.name(event.operative)}: " if event.operative != begun.operative else ""
            lines.append(RecapLine(icon, f"{whose}{event.action}"))
        elif isinstance(event, ActionCancelled) and lines:
            lines.pop()
            attacked = None
        elif isinstance(event, Moved | Stopped) and event.operative in here and lines:
            inches = _inches((here[event.operative], *event.path))
            here[event.operative] = event.path[-1]
            lines[-1] = RecapLine(lines[-1].icon, f'{lines[-1].text.partition(",")[0]}, {inches:.1f}"')
        elif isinstance(event, Told) and is_attack(event, game.state):
            lines.append(RecapLine("", event.words(battle.name).partition(" [")[0]))
            attacked = event
            subjects += [id for id in event.subjects if id != begun.operative]
        elif isinstance(event, Wounded) and event.amount:
            attacked = None
            lines.append(RecapLine("injured", f"{battle.name(event.operative)} suffers {event.amount}", is_grave=True))
            subjects.append(event.operative)
            hits[event.operative] = hits.get(event.operative, 0) + event.amount
        elif isinstance(event, Incapacitated):
            lines.append(RecapLine("cross", f"{battle.name(event.operative)} is taken out", is_grave=True))
        elif isinstance(event, VpScored):
            lines.append(RecapLine("flag", spaced(event.words(battle.name))))
    if not lines:
        lines.append(RecapLine("skip", "Does nothing."))
    kind = "counteracted" if begun.kind == "counteraction" else f"activated on {begun.order.title()}"
    said = _reasons(reasons, battle.name(begun.operative))
    side = game.state.operatives[begun.operative].side
    title = f"{battle.name(begun.operative)}, {kind}"
    walks = walks_in(events, before)
    hurt = tuple(dict.fromkeys(subjects))
    return Recap(begun.operative, side, title, tuple(lines), said, walks, hurt, tuple(hits.items()))


def _vain(attack: Told, name: Callable[[str], str]) -> RecapLine:
    """What an attack came to that has hurt nobody."""
    if f" {SHOOTS} " in attack.text:
        return RecapLine("shield", f"No damage gets through to {name(attack.subjects[1])}")
    return RecapLine("shield", "Nobody is hurt")


def _reasons(said: Sequence[str], name: str) -> tuple[str, ...]:
    """The first few reasons; one that another begins with, and the rest of a plan already told, say nothing new."""
    plain = list(dict.fromkeys(reason.removeprefix(f"{name}: ") for reason in said if reason))
    found: list[str] = []
    for number, reason in enumerate(plain):
        rest = reason.partition(", ")[2]  # without the order
        is_begun = any(other != reason and other.startswith(reason) for other in plain)
        if not is_begun and not any(rest and rest in other for other in plain[:number]):
            found.append(reason)
    return tuple(found[:MOST_REASONS])


def _inches(path: Path) -> float:
    return sum(math.dist(a, b) for a, b in pairwise(path)) / 1000


class Recaps:
    """What has happened since a person was last asked: each activation of a bot that is over waits in *pending* until
    somebody has read it."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.is_on = False
        self.pending: Recap | None = None
        self._begun: int | None = None
        self._before: dict[str, Point] = {}
        self._reasons: list[str] = []
        self.hits: dict[str, int] = {}
        """What operatives have lost since a person's last answer, in wounds."""

    def follow(self, first: int, before: dict[str, Point], is_bot: bool, reason: str) -> str:
        """Take in the events from *first* on, after which a bot has given an answer (*is_bot*) for a *reason*, or
        somebody else has; *before* is where everybody stood then. Returns which action was cancelled and why."""
        game, cancelled = self._game, ""
        for number in range(first, len(game.events)):
            event = game.events[number]
            if isinstance(event, Wounded):
                self.hits[event.operative] = self.hits.get(event.operative, 0) + event.amount
            elif isinstance(event, ActionCancelled):
                name, why = game.battle.name(event.operative), event.reason.rstrip(".")
                cancelled = f"{name}: {event.action} is cancelled, {why}. Everything is as it was before it."
            elif isinstance(event, ActivationBegan):
                self._begun, self._before = (number, before) if is_bot and self.is_on else (None, {})
                self._reasons = []
            elif isinstance(event, ActivationEnded) and self._begun is not None:
                self._reasons.append(reason)
                events = game.events[self._begun : number + 1]
                self.pending = recap_of(game, events, self._before, self._reasons)
                self._begun = None
        if self._begun is not None:
            self._reasons.append(reason)
        return cancelled

    def forget(self) -> None:
        """What is pending was read."""
        self.pending = None

    def restart(self) -> None:
        """Nothing that happened is to be shown any more."""
        self.pending, self._begun = None, None
        self.hits.clear()


def recap_panel(ui: Widgets, rect: Rect, recap: Recap, team: str) -> bool:
    """Shows a recap; whether it was read."""
    k = ui.pen.size
    with ui.panel("recap", rect):
        x, wide, y = rect.x + 16 * k, rect.w - 32 * k, rect.y + 16 * k
        ui.pen.seat(recap.side, x + 7 * k, y + 7 * k, 13 * k)
        ui.text(x + 20 * k, y + 7 * k, ui.pen.fitted(team, "label", wide - 20 * k), "label", theme.SOFT)
        y += 24 * k
        y += ui.paragraph(x, y, wide, recap.title, "h3") + 12 * k
        foot = rect.bottom - 60 * k
        heights = [_height(ui, line, wide) for line in recap.lines]
        why = sum(ui.pen.measure(reason, "caption", wide - 44 * k)[1] + 16 * k for reason in recap.reasons)
        area = Rect(x, y, rect.w - 22 * k, max(60 * k, min(sum(heights), foot - y - why - 12 * k)))
        with ui.scrolled("recap-lines", area, sum(heights)) as top:
            at = top
            for line, tall in zip(recap.lines, heights, strict=True):
                colour = theme.NO if line.is_grave else theme.TEXT if line.icon else theme.SOFT
                if line.icon:
                    ui.pen.icon(line.icon, x + 8 * k, at + 8 * k, 15 * k, colour)
                kind = "strong" if line.icon else "caption"
                ui.paragraph(x + 24 * k, at, wide - 30 * k, line.text, kind, colour)
                at += tall
        y = area.bottom + 12 * k
        for reason in recap.reasons:
            tall = ui.pen.measure(reason, "caption", wide - 44 * k)[1] + 14 * k
            ui.pen.box(Rect(x, y, wide, tall), theme.INK, theme.ACCENT)
            ui.pen.icon("bulb", x + 16 * k, y + tall / 2, 16 * k, theme.ACCENT)
            ui.paragraph(x + 34 * k, y + 7 * k, wide - 44 * k, reason, "caption")
            y += tall + 6 * k
        return ui.button(Rect(x, foot, wide, 46 * k), "Go on##go-on", primary=True, icon="play", key="Enter", kind="h3")


def _height(ui: Widgets, line: RecapLine, wide: float) -> float:
    k = ui.pen.size
    return ui.pen.measure(line.text, "strong" if line.icon else "caption", wide - 30 * k)[1] + 8 * k
