"""Fielding a 2024 team in a 2021 game.

Stats carry over; everybody has three defence dice and no Invulnerable Save. Weapon rules become their counterparts by
:data:`COUNTERPARTS`; what has none, and what the team's abilities, ploys and equipment say beyond a weapon rule, is
shown as a reminder and not enforced. A 2021 team is not fielded in a 2024 game.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, cast

from ktsim.errors import Problem, UserError
from ktsim.rules.engine.cards import Ability, Datacard, Ploy, PloyEffect, Profile, Reminder, Team
from ktsim.rules.engine.edition import EditionRules

COUNTERPARTS: tuple[tuple[str, str, str], ...] = (
    # as printed in 2024, on weapons of this kind (empty: any), as printed in 2021
    ("Balanced", "", "Balanced"),
    (r'Blast (\S+)"', "", 'Blast {0}"'),
    ("Brutal", "melee", "Brutal"),
    ("Ceaseless", "", "Ceaseless"),
    (r"Devastating (\d+)", "ranged", "MW{0}"),
    (r'\S+" Devastating (\d+)', "ranged", "Splash {0}"),
    (r"Heavy(?: \(Dash only\))?", "ranged", "Heavy"),
    ("Hot", "ranged", "Hot"),
    (r"Lethal (\d)\+", "", "Lethal {0}+"),
    ("Limited 1", "", "Limited"),
    (r"Piercing (\d+)", "ranged", "AP{0}"),
    (r"Piercing Crits (\d+)", "ranged", "P{0}"),
    (r'Range (\S+)"', "ranged", 'Rng {0}"'),
    ("Relentless", "", "Relentless"),
    ("Rending", "", "Rending"),
    ("Saturate", "ranged", "No Cover"),
    ("Seek", "ranged", "Indirect"),
    ("Shock", "melee", "Stun"),
    ("Silent", "ranged", "Silent"),
    ("Stun", "", "Stun"),
    (r'Torrent (\S+)"', "", 'Torrent {0}"'),
)
"""Splash reaches 2" whatever distance Devastating has; 2021's Heavy always allows a Dash; the first critical strike of
2021's Stun does what Shock's does. Accurate, Punishing, Severe, Seek Light, Brutal and Limited 2 or more on ranged
weapons, and Heavy with another exception have no counterpart."""


def counterpart(rule: str, kind: str) -> str | None:
    """The 2021 weapon rule a 2024 one becomes on a weapon of that kind (empty: on any), if there is one."""
    for printed, only, becomes in COUNTERPARTS:
        match = re.fullmatch(printed, rule)
        if match and (not only or only == kind):
            return becomes.format(*match.groups())
    return None


def fielded(team: Team, edition: EditionRules) -> Team:
    """The team as it plays in *edition*; a 2021 team in a 2024 game is refused."""
    if team.edition == edition.id:
        return team
    if team.edition != "kt24":
        text = f"{team.name} is a team for {team.edition}; it cannot be fielded in a game of {edition.id}"
        raise UserError(Problem(team.id, text))
    return converted(team)


def converted(team: Team) -> Team:
    """A 2024 team for a 2021 game."""
    cards = tuple(_card(card) for card in team.cards)
    said = {text.id: found for text in team.texts if (found := _granting(text)) is not None}
    ploys = tuple(map(_ploy, (*team.ploys, *said.values())))
    # What the language says is about the 2024 rules: the other texts are shown.
    texts = tuple(replace(text, rules=()) for text in team.texts if text.id not in said)
    own: dict[str, Any] = {"cards": cards, "ploys": ploys, "abilities": _abilities(team.abilities), "texts": texts}
    return replace(team, edition="kt21-lite", enforced=frozenset(), **own)


def _card(card: Datacard) -> Datacard:
    weapons = tuple(map(_profile, card.weapons))
    lost = [(old, new) for old, new in zip(card.weapons, weapons, strict=True) if new.shown != old.shown]
    reminders = tuple(
        Reminder(
            ("shooting",) if new.kind == "ranged" else ("fighting",),
            new.name[:64],
            f"{', '.join(text for text in new.shown if text not in old.shown)}: no counterpart in the 2021 rules.",
        )
        for old, new in lost
    )
    return replace(card, weapons=weapons, abilities=_abilities(card.abilities), reminders=(*card.reminders, *reminders))


def _profile(profile: Profile) -> Profile:
    found = [(rule, counterpart(rule, profile.kind)) for rule in profile.rules]
    kept = tuple(dict.fromkeys(becomes for _, becomes in found if becomes is not None))
    lost = tuple(rule for rule, becomes in found if becomes is None)
    return replace(profile, rules=kept, shown=(*profile.shown, *lost))


def _ploy(ploy: Ploy) -> Ploy:
    """A ploy keeps what it grants that has a counterpart; what else it does, and its rule, is shown only."""
    effects = []
    for effect in ploy.effects:
        becomes = counterpart(effect.grants, effect.weapons) if effect.grants else ""
        if becomes is not None:
            effects.append(replace(effect, grants=becomes))
    return replace(ploy, effects=tuple(effects), rule="")


def _granting(text: Any) -> Ploy | None:
    """The strategy ploy a text is that only gives weapon rules to everybody's weapons, whatever the situation."""
    if text.kind != "strategy" or not text.rules:
        return None
    effects = []
    for rule in text.rules:
        is_plain = [each.word for each in rule.on] == ["always"] and (rule.who.role, rule.who.that) == ("friend", ())
        if not is_plain or rule.who.keyword or rule.who.without or rule.conditions or rule.foe or rule.then:
            return None
        for term in rule.do:
            kinds = term.get("weapons") or ("",)
            if term.word != "grant" or len(kinds) != 1 or kinds[0] not in ("", "ranged", "melee"):
                return None
            effects += [PloyEffect(str(name), cast(Any, kinds[0])) for name in term.main]
    return Ploy(text.id, text.name, "strategy", text.cost, text.text, tuple(effects))


def _abilities(abilities: tuple[Ability, ...]) -> tuple[Ability, ...]:
    """What the classes of abilities do is written for the 2024 rules: the texts are shown."""
    return tuple(replace(ability, rule="") for ability in abilities)
