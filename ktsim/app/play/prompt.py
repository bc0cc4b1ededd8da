"""The pending decision as plain data to be shown. Every decision has a prompt, whatever it is about.

A prompt never adds or removes an answer: its choices are the decision's own options, with the engine's own refusals.
What is known about some topics (see :mod:`.topics`) only adds words, numbers and marks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from ktsim.game import secrecy
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.by_hand import is_deed
from ktsim.rules.engine.decisions import (
    CANCEL,
    Decision,
    Option,
    Pick,
    PickSome,
    Place,
    Roll,
    Walk,
    place_and_turn,
)
from ktsim.sight.part_names import spaced

Kind: TypeAlias = Literal["pick", "some", "place", "walk", "roll", "other"]
KEYS = "123456789"
COST = re.compile(r" \((\d+) ?(AP|CP)(?: unspent)?\)")
NOBODY = "none"
"""The key of the answer that nobody, or nothing, is chosen after all: it is never taken for granted."""
LONG_TITLE = 34
"""Characters of an option's text that are shown on one line; more are split at the first colon or bracket."""


@dataclass(frozen=True)
class Mark:
    """A word with an icon beside a choice: ``in cover``, ``obscured``, ``Conceal`` ..."""

    icon: str
    text: str


@dataclass(frozen=True)
class Choice:
    """One answer on offer. With a *refusal* it is shown, greyed, with that sentence."""

    key: str
    title: str
    note: str = ""
    refusal: str = ""
    rule: str = ""
    icon: str = ""
    seat: str = ""
    badge: str = ""
    marks: tuple[Mark, ...] = ()
    operative: str = ""
    """Who on the table it stands for: a click there chooses it."""
    features: tuple[str, ...] = ()
    """The terrain it could be done to: a click there chooses it as well."""
    shortcut: str = ""
    """A letter of its own."""
    digit: str = ""
    """Which of the choices it is as they are asked; a key of its own like the letter, the same whatever is refused."""
    warning: str = ""
    """What is to be known before it is chosen, which it can be."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that choose it, the one it is shown with first."""
        return tuple(key for key in (self.shortcut, self.digit) if key)


@dataclass(frozen=True)
class Prompt:
    """A question to a seat. *number* counts the answers given before it, so equal prompts are the same question."""

    number: int
    kind: Kind
    seat: str
    topic: str
    title: str
    text: str
    choices: tuple[Choice, ...] = ()
    default: Any = None
    least: int = 1
    most: int = 1
    is_secret: bool = False
    needs_confirming: bool = False
    """Whether a choice is only marked by a click and given with the confirming button."""
    confirm: str = "Confirm"
    operative: str = ""
    """Who is placed or moves, or acts."""
    marker: str = ""
    rule: str = ""
    """The rule that says where something may be put."""
    allowance: int = 0
    dice: int = 0
    roller: str = ""
    warning: str = ""
    """What is to be known before anything is chosen."""

    def choice(self, key: str) -> Choice | None:
        return next((choice for choice in self.choices if choice.key == key), None)

    @property
    def open_choices(self) -> tuple[Choice, ...]:
        return tuple(choice for choice in self.choices if not choice.refusal)


def prompt_of(decision: Decision[Any], number: int, battle: Battle) -> Prompt:
    """The plain prompt of any decision."""
    seat = decision.seat
    about = decision.about if isinstance(decision.about, str) else ""
    operative = about if about in battle.state.operatives else ""
    marker = about if about in battle.state.markers else ""
    common: dict[str, Any] = {
        "number": number,
        "seat": seat,
        "topic": decision.topic,
        "title": decision.topic.capitalize(),
        "text": decision.prompt,
        "default": decision.default,
        "is_secret": decision.secret,
        "operative": operative,
        "marker": marker,
    }
    if isinstance(decision, Pick):
        choices = choices_of(decision.options, battle)
        return Prompt(kind="pick", choices=choices, needs_confirming=decision.secret, **common)
    if isinstance(decision, PickSome):
        choices = choices_of(decision.options, battle)
        most = min(decision.most, sum(not choice.refusal for choice in choices))
        return Prompt(kind="some", choices=choices, least=decision.least, most=most, needs_confirming=True, **common)
    if isinstance(decision, Place):
        return Prompt(kind="place", needs_confirming=True, confirm="Place here", rule=decision.rule, **common)
    if isinstance(decision, Walk):
        common["operative"] = decision.operative
        return Prompt(
            kind="walk", needs_confirming=True, confirm="Finish the move", allowance=decision.allowance, **common
        )
    if isinstance(decision, Roll):
        roller = decision.roller or ""
        return Prompt(
            kind="roll", dice=decision.count, roller=roller, needs_confirming=True, confirm="These dice", **common
        )
    return Prompt(kind="other", needs_confirming=True, confirm="Take this answer", **common)


def choices_of(options: tuple[Option, ...], battle: Battle) -> tuple[Choice, ...]:
    """The options as choices; one whose key is an operative's or a terrain feature's id stands for it on the table."""
    found = []
    changing = {feature.id for feature in battle.board.terrain.features if feature.states}
    for option in options:
        title, note = split_text(option.text)
        who = battle.state.operatives.get(option.key)
        side = who.side if who is not None else option.key if option.key in ("red", "blue") else ""
        found.append(
            Choice(
                option.key,
                title,
                note,
                option.refusal or "",
                option.rule,
                seat=side,
                operative=who.id if who is not None else "",
                features=(option.key,) if option.key in changing else (),
            )
        )
    return tuple(found)


def in_rows(choices: Sequence[Choice], is_many: bool) -> tuple[Choice, ...]:
    """The choices as they are shown: those that can be chosen first, unless several may be chosen together. The first
    nine have a digit, by their place in the question, so that it does not change when another is refused; unless they
    come with digits of their own."""
    has_own = any(choice.digit for choice in choices)
    numbered = zip(choices, [*KEYS, *("" for _ in choices)], strict=False)
    rows = list(choices) if has_own else [replace(choice, digit=digit) for choice, digit in numbered]
    return tuple(rows if is_many else sorted(rows, key=lambda choice: bool(choice.refusal)))


def split_text(text: str) -> tuple[str, str]:
    """A title and a note of an option's text: long ones are split where the first colon or bracket is."""
    if len(text) <= LONG_TITLE:
        return text, ""
    colon, bracket = text.find(": "), text.find(" (")
    if colon > 0 and (bracket < 0 or colon < bracket):
        return text[:colon], text[colon + 2 :]
    if bracket > 0 and text.endswith(")"):
        return text[:bracket], text[bracket + 2 : -1]
    if colon > 0:
        return text[:colon], text[colon + 2 :]
    return text, ""


def told(answer: str, reason: str) -> str:
    """An answer with why it was given; a reason that says the answer already stands by itself."""
    plain = COST.sub("", answer)
    if reason.lower().startswith(plain.lower()):
        return reason
    if not reason:
        return answer
    return f"{answer} {reason}" if answer.endswith(".") else f"{answer}: {reason}"


def answer_words(decision: Decision[Any], answer: Any) -> str:
    """An answer in words, for a hint or the undo button."""
    if isinstance(decision, Pick):
        return spaced(next((option.text for option in decision.options if option.key == answer), str(answer)))
    if isinstance(decision, PickSome):
        texts = {option.key: spaced(option.text) for option in decision.options}
        return "; ".join(texts.get(key, key) for key in answer) or "none of them"
    if isinstance(decision, Walk):
        return "Cancel the action" if answer == CANCEL else "Move to " + place_words(answer[-1])
    if isinstance(decision, Place):
        return "Place at " + place_words(place_and_turn(answer)[0])
    if isinstance(decision, Roll):
        return "Dice: " + " ".join(map(str, answer))
    return str(answer)


def told_answer(decision: Decision[Any], answer: Any) -> str:
    """An answer in words anybody may read."""
    if is_deed(answer):
        return f"By hand: {answer[2]}"
    return "a secret choice" if secrecy.is_secret(decision, answer) else answer_words(decision, answer)


def place_words(point: tuple[int, int, int]) -> str:
    """``12.50", 8.00"``, with the height when it is not on the floor."""
    x, y, level = (value / 1000 for value in point)
    return f'{x:.2f}", {y:.2f}"' + (f', {level:.2f}" up' if level else "")
