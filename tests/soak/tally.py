"""What games have exercised: deeds counted from their events, and the deeds there are, from registers and files.

A deed is a section and a name. Nothing is listed by hand: a new op, weapon rule, equipment option, killzone rule,
action, ploy, team or layout is wanted as soon as it is registered or shipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from inspect import isabstract
from itertools import product
from typing import TypeAlias

from ktsim.game.game import Game
from ktsim.game.setup import Setup, prepare
from ktsim.killzones import catalogue
from ktsim.rules.editions import EDITIONS, MISSIONS, USUAL
from ktsim.rules.engine.action import Action
from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.engine.events import Chosen, EffectBegan, Event, PloyUsed, Told, VpScored
from ktsim.rules.engine.operative_events import (
    ActionBegan,
    ActionCancelled,
    ActionEnded,
    ActivationBegan,
    MarkerAppeared,
    WeaponUsed,
)
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import SIDES, OperativeState
from ktsim.rules.engine.table_events import PiecePlaced
from ktsim.rules.kt21.conversion import fielded
from ktsim.rules.kt24.close_quarters import GuardRule, PointBlankShot
from ktsim.rules.kt24.equipment.barricades import EquipmentTerrain
from ktsim.rules.kt24.equipment.option import Equipment, SideRule
from ktsim.rules.kt24.equipment.register import EQUIPMENT, equipment_of
from ktsim.rules.kt24.ops.kill_and_primary import GRADES, KINDS, KillOp, primary_key
from ktsim.rules.kt24.ops.op import tac_key
from ktsim.rules.kt24.ops.register import CRIT_OPS, TAC_OPS
from ktsim.rules.kt24.packs.set_up import CRIT_OP
from ktsim.rules.teams.team_file import all_team_files, find_team, team_files

Deed: TypeAlias = tuple[str, str]
"""A section and a name."""
Counts: TypeAlias = Counter[Deed]

EVENT, RULE, ACTION, ACTIVATION, SOAK = "event", "rule cited", "action", "activation", "soak"
"""Sections that say how games went; nothing in them is wanted by name (floors are asked of them)."""
BATTLES = (SOAK, "battles")
DECISIONS = (SOAK, "decisions")
REFUSED = (SOAK, "answers refused")
SECRETS = (SOAK, "secrets kept")
IN_A_MOVE = "in the middle of a move"


class Tally:
    """Follows the events of one game and counts what it exercises."""

    def __init__(self, game: Game) -> None:
        self._game, self._battle = game, game.battle
        self._edition = game.battle.edition
        self.counts: Counts = Counter()
        self._interrupter = ""
        self._open: list[tuple[str, str]] = []
        """Who performs what: actions begun and not over, those within others last."""
        self._equipment = {option.id: option for option in EQUIPMENT.values()}

    def count(self, section: str, name: str, number: int = 1) -> None:
        self.counts[section, name] += number

    def follow(self, event: Event) -> None:
        """Count what *event*, already applied, stands for."""
        self.count(EVENT, type(event).__name__)
        if isinstance(event, Told) and event.rule:
            self._cite(event)
        elif isinstance(event, EffectBegan):
            self._use_equipment(event.effect.rule)
        elif isinstance(event, ActivationBegan):
            self.count(ACTIVATION, event.kind)
        elif isinstance(event, ActionBegan):
            self._begin(event)
        elif isinstance(event, (ActionEnded, ActionCancelled)):
            self._end(event)
        elif isinstance(event, WeaponUsed):
            self._use_weapon(event)
        elif isinstance(event, VpScored):
            self._score(event)
        elif isinstance(event, Chosen):
            self._choose(event)
        elif isinstance(event, PloyUsed):
            self.count(ploy_section(self._edition), f"{self._battle.teams[event.side].name}: {event.name}")
        elif isinstance(event, PiecePlaced):
            self._set_up(event.piece.piece)
        elif isinstance(event, MarkerAppeared):
            self._set_up(event.kind.replace(" ", "-"))

    def _cite(self, event: Told) -> None:
        self.count(RULE, event.rule)
        if event.rule in self._edition.killzone_rules:
            self.count(killzone_section(self._edition), cited(self._edition.killzone_rules[event.rule]))
        if event.rule == PointBlankShot.id and len(event.subjects) == 2:
            self._interrupter, _ = event.subjects  # somebody on guard interrupts somebody
        self._use_equipment(event.rule)

    # -- actions -------------------------------------------------------------------------------------

    def _begin(self, event: ActionBegan) -> None:
        who = self._game.state.operatives[event.operative]
        if self._open and self._open[-1][0] == who.id:
            self.count(within_section(self._edition), event.action)
        self._open.append((who.id, event.action))
        for deed in self._deeds(event):
            self.counts[deed] += 1
        if event.action in supporting_actions():
            self._support(who)

    def _end(self, event: ActionEnded | ActionCancelled) -> None:
        """A cancelled action has not happened."""
        while self._open:
            if self._open.pop()[0] == event.operative:
                break
        if isinstance(event, ActionCancelled):
            for deed in self._deeds(event):
                self.counts[deed] -= 1
        self._interrupter = ""

    def _deeds(self, event: ActionBegan | ActionCancelled) -> Iterator[Deed]:
        yield action_section(self._edition), event.action
        if event.operative == self._interrupter:
            yield interrupt_section(self._edition), event.action
        id = action_ids().get(event.action, "")
        if id in self._equipment:
            yield "equipment in use", self._equipment[id].name

    # -- equipment -----------------------------------------------------------------------------------

    def _set_up(self, thing: str) -> None:
        for option in EQUIPMENT.values():
            if thing in (option.key, getattr(option, "piece", "")):
                self.count("equipment set up", option.name)

    def _use_equipment(self, rule: str) -> None:
        if rule in self._equipment:
            is_early = self._game.state.turning_point == 0
            self.count("equipment set up" if is_early else "equipment in use", self._equipment[rule].name)

    def _support(self, who: OperativeState) -> None:
        for rule in self._battle.having("support_distance"):
            if rule.support_distance(self._battle, who, 0.0):
                self._use_equipment(rule.id)

    # -- weapons -------------------------------------------------------------------------------------

    def _use_weapon(self, event: WeaponUsed) -> None:
        battle, who = self._battle, self._game.state.operatives[event.operative]
        profile = battle.weapon(who, event.weapon)
        registry = self._edition.weapon_rules
        for weapon_rule in battle.weapon_rules(who, profile):
            if weapon_rule.only in ("", profile.kind):
                self.count(weapon_rule_section(self._edition), registry.form_of(weapon_rule.text))
        for rule in battle.having("weapon_rules"):
            if rule.weapon_rules(battle, who, profile):
                self._use_equipment(rule.id)
                if rule.id in self._edition.killzone_rules:
                    self.count(killzone_section(self._edition), cited(type(rule)))
        for rule in battle.having("weapons"):
            if profile in rule.weapons(battle, who):
                self._use_equipment(rule.id)

    # -- ops -----------------------------------------------------------------------------------------

    def _choose(self, event: Chosen) -> None:
        if event.key == CRIT_OP:
            self.count("crit op drawn", CRIT_OPS[event.value].name)
        for side in SIDES:
            if event.key == tac_key(side):
                self.count("tac op chosen", TAC_OPS[event.value].name)
            if event.key == f"{side}:equipment":
                for option in equipment_of({event.key: event.value}, side):
                    self.count("equipment chosen", option.name)

    def _score(self, event: VpScored) -> None:
        choices = self._game.state.choices
        if event.op == "crit":
            self.count("crit op scored", CRIT_OPS[choices[CRIT_OP]].name)
        elif event.op == "tac":
            self.count("tac op scored", TAC_OPS[choices[tac_key(event.side)]].name)
        elif event.op == "kill":
            self.count("kill op scored", event.reason.removeprefix(f"{KillOp.name}: "))
        elif event.op == "primary":
            self.count("primary op scored", KINDS[choices[primary_key(event.side)]])


# -- sections that differ between editions -------------------------------------------------------------


def action_section(edition: EditionRules) -> str:
    return f"{ACTION}, {edition.id}"


def within_section(edition: EditionRules) -> str:
    return f"{IN_A_MOVE}, {edition.id}"


def interrupt_section(edition: EditionRules) -> str:
    return f"interrupt on guard, {edition.id}"


def killzone_section(edition: EditionRules) -> str:
    return f"killzone rule, {edition.id}"


def cited(rule: type[Rule]) -> str:
    return f"{rule.name} [{rule.id}]"


def weapon_rule_section(edition: EditionRules) -> str:
    return f"weapon rule, {edition.id}"


def ploy_section(edition: EditionRules) -> str:
    return f"ploy, {edition.id}"


# -- what there is -------------------------------------------------------------------------------------


def every_action() -> Iterator[type[Action]]:
    """Every action the program knows, whatever brings it."""
    waiting = Action.__subclasses__()
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        is_whole = hasattr(kind, "name") and hasattr(kind, "id") and not isabstract(kind)
        if is_whole and kind.__module__.startswith("ktsim.rules."):
            yield kind


@lru_cache(maxsize=1)
def action_ids() -> dict[str, str]:
    """The rule id of each action by its name."""
    return {kind.name: kind.id for kind in every_action()}


@lru_cache(maxsize=1)
def supporting_actions() -> frozenset[str]:
    """The actions of teams that speak of friends at a distance: SUPPORT is in their texts."""
    teams = [find_team(name, EDITIONS["kt24"].weapon_rules) for name in team_files("kt24")]
    texts = [text for team in teams for text in team.texts if text.kind == "action"]
    return frozenset(text.name for text in texts if "SUPPORT" in text.text)


def is_older(kind: type[Action]) -> bool:
    """Whether an action is only the 2021 edition's."""
    return ".kt21." in kind.__module__


@lru_cache(maxsize=1)
def wanted() -> tuple[Deed, ...]:
    """Every deed that enough battles must have done, section by section."""
    found: list[Deed] = [*_places_and_teams(), *_ops(), *_equipment()]
    for edition in EDITIONS.values():
        found += ((weapon_rule_section(edition), form) for form in edition.weapon_rules.forms)
        found += _killzone(edition)
        found += _ploys(edition)
    sections: dict[str, list[Deed]] = {}
    for deed in dict.fromkeys((*found, *_actions())):
        sections.setdefault(deed[0], []).append(deed)
    return tuple(deed for section in sections.values() for deed in section)


def missions_of(edition: EditionRules) -> list[str]:
    """The missions whole battles of an edition are played by: its packs, or its usual one."""
    packs = [name for name, each in MISSIONS.items() if each.has_ops and each.edition in ("", edition.id)]
    return packs or [USUAL[edition.id]]


def teams_of(edition: EditionRules) -> list[str]:
    """The shipped teams that can be fielded: a 2021 game takes the 2024 teams as well."""
    return list(team_files("kt24") if edition.id == "kt24" else all_team_files())


def pair_name(red: str, blue: str) -> str:
    return " and ".join(sorted((red, blue)))


def _places_and_teams() -> Iterator[Deed]:
    for edition in EDITIONS.values():
        for mission, board in product(missions_of(edition), catalogue.names()):
            yield "battle on", f"{board}, {mission}"
        for red, blue in product(teams_of(edition), repeat=2):
            yield f"teams, {edition.id}", pair_name(red, blue)


def _ops() -> Iterator[Deed]:
    for crit in CRIT_OPS.values():
        yield "crit op drawn", crit.name
        yield "crit op scored", crit.name
    for tac in TAC_OPS.values():
        yield "tac op chosen", tac.name
        yield "tac op scored", tac.name
    for grade in range(1, GRADES + 1):
        yield "kill op scored", f"grade {grade}"
    yield "kill op scored", "the higher grade"
    for kind in KINDS.values():
        yield "primary op scored", kind


def _equipment() -> Iterator[Deed]:
    for option in EQUIPMENT.values():
        yield "equipment chosen", option.name
        if option.items:
            yield "equipment set up", option.name
        if has_uses(option):
            yield "equipment in use", option.name


def has_uses(option: Equipment) -> bool:
    """Whether it does something besides standing there as terrain, which sight and moving see to."""
    is_plain = isinstance(option, EquipmentTerrain) and type(option.rule("red")) is SideRule
    return not is_plain


def _killzone(edition: EditionRules) -> Iterator[Deed]:
    """The rules of all killzones, the actions they bring, and what may be done on guard."""
    anybody = next(iter(prepare(Setup(table="plain", mission="skirmish"))[1].operatives.values()))
    for board in catalogue.names():
        battle, _ = prepare(Setup(edition=edition.id, board=board, table="plain"))
        for rule in edition.rules_of_killzone(battle.board.terrain.rules):
            actions = rule.actions(battle, anybody)
            if not actions:
                yield killzone_section(edition), cited(type(rule))
            for action in actions:
                yield action_section(edition), action.name
            for move in edition.actions:
                for action in rule.within(battle, anybody, move):
                    yield within_section(edition), action.name
            if isinstance(rule, GuardRule):
                for action in rule.guard_attacks(battle):
                    yield interrupt_section(edition), action.name


def _actions() -> Iterator[Deed]:
    """Every action in each edition that has it."""
    for edition in EDITIONS.values():
        for action in edition.actions:
            yield action_section(edition), action.name
    for kind in every_action():
        if not kind.is_granted:  # texts of imported teams give those
            yield action_section(EDITIONS["kt21-lite" if is_older(kind) else "kt24"]), kind.name


def _ploys(edition: EditionRules) -> Iterator[Deed]:
    """Those that can be used: a firefight ploy without a rule is only shown."""
    for name in teams_of(edition):
        team = fielded(find_team(name, edition.weapon_rules), edition)
        for ploy in team.ploys:
            if ploy.kind == "strategy" or ploy.rule:
                yield ploy_section(edition), f"{team.name}: {ploy.name}"
        for text in team.texts:
            if text.rules and text.kind == "strategy":
                yield ploy_section(edition), f"{team.name}: {text.name}"


def missed(counts: Counts, deeds: Iterable[Deed]) -> list[str]:
    """Which of *deeds* never came about, in words."""
    return [f"{section}: {name} never came about" for section, name in deeds if counts[section, name] <= 0]


def table(counts: Counts) -> Iterator[str]:
    """Every wanted deed with its count, by section, then whatever else was counted."""
    known = wanted()
    rest = sorted(deed for deed in counts if deed not in set(known))
    section = ""
    for deed in (*known, *rest):
        if deed[0] != section:
            section = deed[0]
            yield f"-- {section}"
        yield f"{counts[deed]:9}  {deed[1]}"
