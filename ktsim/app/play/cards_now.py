"""What stays a card, at its moment: which cards matter now, a small mark of them over the table, and their texts on
request, from which a player does by hand what they say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ktsim.app.play.sequence import AttackPair
from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.game.game import Game
from ktsim.rules.engine.cards import Reminder
from ktsim.rules.engine.operative_events import Incapacitated
from ktsim.rules.engine.state import SIDES, Side
from ktsim.rules.teams.team_rules import due_reminders
from ktsim.sight.part_names import spaced

LATELY = 12
"""So many events back somebody's incapacitation is still looked at."""


@dataclass(frozen=True)
class CardNow:
    """A card that matters now: whose it is, of which operative (or the team), and why now."""

    side: Side
    owner: str
    card: Reminder
    moment: str


def cards_now(game: Game, attack: AttackPair | None) -> tuple[CardNow, ...]:
    """The cards that matter at the pending question, the operatives' own before their teams'.

    Nothing that is enforced has a card. Cards that matter whenever somebody is activated are the acting team's.
    """
    battle, state = game.battle, game.state
    found: list[CardNow] = []

    def of(id: str, moment: str, words: str) -> None:
        who = state.operatives[id]
        own = set(battle.teams[who.side].shown(battle.card(who)))
        for card in due_reminders(battle, moment, who):
            found.append(CardNow(who.side, who.name if card in own else battle.teams[who.side].name, card, words))

    if state.phase in ("set-up", "gambit", "strategy"):
        moment, words = ("set-up", "Set-up") if state.phase == "set-up" else ("strategy", "Strategic gambits")
        for side in SIDES:
            team = battle.teams[side]
            found += [CardNow(side, team.name, card, words) for card in team.shown() if card.is_due(moment)]
    if attack is not None:
        moment = "shooting" if attack.is_shot else "fighting"
        of(attack.target, moment, "Being shot at" if attack.is_shot else "Being fought")
        of(attack.attacker, moment, "Shooting" if attack.is_shot else "Fighting")
    if (now := state.activation) is not None:
        of(now.operative, "activation", "Activated")
        of(now.operative, "firefight", "Activated")
    for event in game.events[-LATELY:]:
        if isinstance(event, Incapacitated):
            of(event.operative, "incapacitated", "Incapacitated")
    return tuple({(each.owner, each.card.title, each.card.text): each for each in reversed(found)}.values())[::-1]


def cards_chip(ui: Widgets, middle: Rect, cards: Sequence[CardNow]) -> bool:
    """A small mark over the table that says how many cards matter now; whether it was pressed. Nothing without any."""
    if not cards:
        return False
    k = ui.pen.size
    count = len(cards)
    title = f"{count} card{'s' if count > 1 else ''} now: "
    names = ", ".join(dict.fromkeys(each.card.title for each in cards))
    room = min(middle.w - 16 * k, 420 * k)
    words = ui.pen.fitted(f"{title}{names}", "caption", room - 52 * k)
    wide = ui.pen.measure(words, "caption")[0] + 52 * k
    rect = Rect(middle.x + 4 * k, middle.y + 4 * k, wide, 28 * k)
    with ui.panel("cards-now", rect, alpha=0.9):
        tip = "What no rule enforces and matters at this moment; press for the texts and to do it by hand (C)"
        pressed = ui.quiet(rect, "cards-now", tip=tip)
        ui.pen.icon("eye", rect.x + 18 * k, rect.y + 14 * k, 14 * k, theme.ACCENT)
        ui.text(rect.x + 34 * k, rect.y + 14 * k, words, "caption", theme.SOFT)
    return pressed


class CardsNowScreen(Screen):
    """The texts of the cards that matter now; *by_hand* is told the card for whose sake something is done, *datacards*
    shows those of a side."""

    name = "cards-now"
    is_dialog = True

    def __init__(
        self,
        desktop: Host,
        cards: Sequence[CardNow],
        by_hand: Callable[[CardNow | None], object],
        datacards: Callable[[Side], object],
    ) -> None:
        super().__init__(desktop)
        self.cards, self.by_hand, self.datacards = cards, by_hand, datacards

    def key(self, key: str, held: Held) -> None:
        if key == "b":
            self._go(None)
        elif key in ("c", "enter"):
            self.desktop.pop(self)

    def _go(self, card: CardNow | None) -> None:
        def go() -> None:
            self.desktop.pop(self)
            self.by_hand(card)

        self.desktop.later(go)

    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        inner = min(720 * k, self.desktop.size[0] - 32.0) - 76 * k - SCROLLBAR
        heights = [ui.pen.measure(_text(each), "body", inner)[1] + 74 * k for each in self.cards]
        rect = centred(self.desktop.size, 720 * k, min(620 * k, max(150 * k, sum(heights) + 92 * k)))
        with ui.panel("cards-now-page", rect, alpha=1.0):
            x, width = rect.x + 24 * k, rect.w - 48 * k
            close = Rect(rect.right - 24 * k - 100 * k, rect.y + 16 * k, 100 * k, 36 * k)
            ui.text(x, rect.y + 34 * k, "Cards now", "h2")
            if ui.button(close, "Close##close", key="Esc"):
                self.desktop.later(lambda: self.desktop.pop(self))
            left = close.x
            for side in SIDES:
                left -= 116 * k
                tip = f"The datacards of {side}"
                if ui.button(Rect(left, close.y, 108 * k, 36 * k), f"Cards##datacards-{side}", seat=side, tip=tip):
                    self.desktop.later(lambda side=side: self.datacards(side))  # type: ignore[misc]
            other = Rect(left - 134 * k, close.y, 126 * k, 36 * k)
            if ui.button(other, "By hand##by-hand", icon="pen", key="B", tip="Change something by hand for any reason"):
                self._go(None)
            body = Rect(x, rect.y + 66 * k, width, rect.h - 84 * k)
            if not self.cards:
                words = "There is no card for this moment: everything that matters now the program does."
                ui.paragraph(x, body.y, width, words, "body", theme.SOFT)
            with ui.scrolled("cards-now-list", body, sum(heights)) as top:
                y = top
                for i, (each, tall) in enumerate(zip(self.cards, heights, strict=True)):
                    cell = Rect(x, y, width - SCROLLBAR - 4, tall - 8 * k)
                    ui.pen.box(cell, theme.RAISED)
                    ui.pen.seat(each.side, cell.x + 18 * k, cell.y + 20 * k, 13 * k)
                    button = Rect(cell.right - 122 * k, cell.y + 8 * k, 112 * k, 30 * k)
                    room = button.x - cell.x - 42 * k
                    ui.text(cell.x + 32 * k, cell.y + 14 * k, ui.pen.fitted(each.card.title, "strong", room), "strong")
                    whose = ui.pen.fitted(f"{each.owner} · {each.moment}", "caption", room)
                    ui.text(cell.x + 32 * k, cell.y + 33 * k, whose, "caption", theme.DIM)
                    if ui.button(button, f"By hand##hand-{i}", icon="pen"):
                        self._go(each)
                    ui.paragraph(cell.x + 12 * k, cell.y + 50 * k, inner, _text(each))
                    y += tall


def _text(each: CardNow) -> str:
    return spaced(each.card.text.replace("**", ""))
