"""Datacards as players know them, as plain values: stats, weapons, abilities, each with what of it is enforced; and the
team's own rules, ploys and equipment as cards of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ktsim.rules.engine.cards import Ability, Datacard, Profile, Team
from ktsim.rules.teams.playing.status import Status, status_of
from ktsim.sight.scene import MM

GROUPS = (
    ("faction", "Faction rules"),
    ("ability", "Faction rules"),
    ("strategy", "Strategy ploys"),
    ("firefight", "Firefight ploys"),
    ("equipment", "Faction equipment"),
)
"""The texts of a team by what they are, and the card they are on."""


@dataclass(frozen=True)
class WeaponRow:
    """One line of a weapon table."""

    name: str
    is_ranged: bool
    atk: str
    hit: str
    damage: str
    rules: str
    by_hand: str = ""
    """The rules of it that are not enforced."""


@dataclass(frozen=True)
class CardText:
    """An ability, action, ploy or piece of equipment as printed, and how much of it is enforced."""

    title: str
    text: str
    status: Status
    why: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", self.text.replace("**", ""))  # files have it for bold letters


@dataclass(frozen=True)
class CardView:
    """One card. *stats* are empty on cards of a team's texts; those of its equipment have the *weapons* it gives."""

    title: str
    note: str
    stats: tuple[tuple[str, str], ...]
    weapons: tuple[WeaponRow, ...]
    texts: tuple[CardText, ...]
    keywords: str = ""


def cards_of(team: Team) -> list[CardView]:
    """Every card of a team: its operatives', then its rules', ploys' and equipment's."""
    return [*(operative_card(team, card) for card in team.cards), *team_cards(team)]


def operative_card(team: Team, card: Datacard) -> CardView:
    """The datacard of one kind of operative, or of one loadout of it."""
    stats = (("APL", f"{card.apl}"), ("MOVE", f'{card.move}"'), ("SAVE", f"{card.save}+"), ("WOUNDS", f"{card.wounds}"))
    texts = [_of_ability(each) for each in card.abilities]
    texts += [CardText(each.title, each.text, "shown") for each in card.reminders]
    for text in team.texts:
        if text.of == card.type and text.text:
            status, why = status_of(text)
            texts.append(CardText(text.title, text.text, status, why))
    if card.options:
        texts.insert(0, CardText("Chosen", ", ".join(card.options), "enforced"))
    length, width = (round(2 * side / MM, 1) for side in (card.base.along, card.base.across))
    size = f"{length:g}" if length == width else f"{length:g} x {width:g}"
    note = f'{size} mm base, {card.height:.2g}" tall'
    names = [name for name in card.names if name != card.name]
    note = f"{', '.join(names)} · {note}" if names else note
    return CardView(
        card.name, note, stats, tuple(map(_row, card.weapons)), tuple(texts), ", ".join(card.keywords).upper()
    )


def _row(profile: Profile) -> WeaponRow:
    rules = [*profile.rules, *(trait.title() for trait in profile.traits)]
    by_hand = [rule for rule in profile.shown if rule not in rules]
    return WeaponRow(
        profile.name,
        profile.kind == "ranged",
        str(profile.atk),
        f"{profile.hit}+",
        f"{profile.normal}/{profile.critical}",
        ", ".join(rules) or ("" if by_hand else "-"),
        ", ".join(by_hand),
    )


def _of_ability(ability: Ability) -> CardText:
    return CardText(ability.name, ability.text, "enforced" if ability.rule else "shown")


def team_cards(team: Team) -> Iterator[CardView]:
    """The cards with what the whole team has; one for each group of which there is something."""
    found: dict[str, list[CardText]] = {title: [] for _, title in GROUPS}
    titles = dict(GROUPS)
    found["Faction rules"] += map(_of_ability, team.abilities)
    for ploy in team.ploys:
        title = f"{ploy.name} ({ploy.cost}CP)"
        found[titles[ploy.kind]].append(CardText(title, ploy.text, "enforced" if ploy.is_enforced else "shown"))
    for text in team.texts:
        if not text.of and text.text and text.kind in titles:
            status, why = status_of(text)
            cost = f" ({text.cost}CP)" if text.kind in ("strategy", "firefight") and text.cost else ""
            found[titles[text.kind]].append(CardText(f"{text.name}{cost}", text.text, status, why))
    for title, texts in found.items():
        if texts:
            weapons = tuple(map(_row, team.equipment_weapons)) if title == titles["equipment"] else ()
            yield CardView(title, team.name, (), weapons, tuple(texts))
