"""What team rules that hold bring into sequences: attack dice, defence dice, damage per die, fights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.attack import Attack, Die, Hand, Ward, WeaponRule
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.dice import COMMAND
from ktsim.rules.engine.fight.stages import Duel, LastStrike
from ktsim.rules.engine.shoot.stages import Shot
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.teams.language.values import TeamText, Term
from ktsim.rules.teams.playing.bound_rule import BoundRule, Unknown
from ktsim.rules.teams.playing.clauses import Clause, conditions_of, is_marked
from ktsim.rules.teams.playing.conditions import is_on_datacard, tokens
from ktsim.rules.teams.playing.force import Doing, attacking
from ktsim.rules.teams.playing.ignored_changes import Ignored, hit_without, without_step
from ktsim.rules.teams.playing.limits import LimitedRules
from ktsim.rules.teams.playing.past import was
from ktsim.rules.teams.playing.sequences import Conversion, GivenCritical, GivenReroll, GivenSave, KeptResult, ward_of
from ktsim.rules.teams.playing.weapon_names import is_weapon

T = TypeVar("T")
MARKS = {"psychic": "PSYCHIC", "support": "SUPPORT"}
"""Unique actions by how they are marked."""
NO_MORE = "re-rolls are forbidden"
"""Among the re-rolls that were used: whatever would bring another one does not."""
ONLY_SIXES = "results of less than 6 cannot be critical"
"""Among what was used of attack dice: whatever would retain them so does not."""
UNHURT = "no damage is done to the target"
"""Among what was used of attack dice: what inflicts damage beside them does not."""
ONE_OF_EACH = tuple(Die(face) for face in range(1, 7))


def numbers(term: Term, name: str = "") -> int:
    return int(str(term.get(name) or 0))


def names(term: Term, name: str = "") -> tuple[str, ...]:
    value = term.get(name)
    return tuple(map(str, value)) if isinstance(value, tuple) else () if value is None else (str(value),)


def is_for(term: Term, scene: BoundRule, weapon: Profile) -> bool:
    """Whether an effect is about the weapon."""
    wanted = names(term, "weapons")
    if "datacard" in wanted:
        if not is_on_datacard(scene, weapon):
            return False
        wanted = tuple(each for each in wanted if each != "datacard")
    if wanted == ("same",):
        before = scene.clause.rule.do[: scene.clause.rule.do.index(term)]
        wanted = next((names(each, "weapons") for each in reversed(before) if names(each, "weapons")), ())
    if wanted == ("that",):
        return not scene.held or weapon.key == scene.held
    barred = [each for each in wanted if each.startswith("not ")]
    meant = [each for each in wanted if each not in barred]
    if not all(is_weapon(weapon, each) for each in barred):
        return False
    # Kinds and traits narrow names down; of several names any will do.
    kinds = [each for each in meant if each in ("ranged", "melee", "psychic")]
    named = [each for each in meant if each not in kinds]
    return all(is_weapon(weapon, each) for each in kinds) and (
        not named or any(is_weapon(weapon, each) for each in named)
    )


def changed(term: Term, value: int, is_better_less: bool = False) -> int:
    """A number as an effect that changes a stat leaves it."""
    if term.get("set") is not None:
        return numbers(term, "set")
    by = numbers(term, "by")
    after = value - by if is_better_less else value + by
    if (most := term.get("most")) is not None:
        limit = int(str(most))
        after = max(after, min(value, limit)) if is_better_less else min(after, max(value, limit))
    if (least := term.get("least")) is not None:
        after = max(after, min(value, int(str(least))))
    return after


def rank(term: Term) -> tuple[int, int, int, int, int]:
    """In which order a number is changed, whoever's rules do: it is set, then changed, then changed within limits."""
    if term.get("set") is not None:
        return 0, numbers(term, "set"), 0, 0, 0
    if term.get("most") is None and term.get("least") is None:
        return 1, 0, 0, 0, 0  # the sum is the same in any order
    return 2, 0, -numbers(term, "by"), numbers(term, "most"), numbers(term, "least")


def is_action(action: Action, name: str) -> bool:
    """Whether an action is meant: by its name, or by its kind (``all``, ``mission``, ``unique``, ``move``,
    ``psychic``, ``support``)."""
    if name in ("all", "any"):
        return True
    if name in MARKS:
        source = getattr(action, "source", None)  # those of texts have one
        return isinstance(source, TeamText) and action.is_unique and is_marked(source, MARKS[name])
    kinds = {"mission": action.is_mission, "unique": action.is_unique, "move": action.is_move}
    return kinds.get(name, name in (action.name, action.counts_as))


def is_one_of(action: Action, term: Term, name: str = "") -> bool:
    barred = names(term, "except")
    return any(is_action(action, each) for each in names(term, name)) and not any(
        is_action(action, each) for each in barred
    )


class SequenceRules(LimitedRules):
    """The hooks of shooting and fighting."""

    def hand(self, battle: Battle, attack: Attack, hand: Hand) -> Hand:
        if not self.leads(battle, "hand"):
            return hand
        who, weapon, target = attack.who, attack.weapon, attack.target
        doings = attacking(battle, who, weapon, target, attack.ruling)
        bare, ignored = hand, self._ignored(battle, who, doings, weapon)
        if (less := attack.hit.value - hit_without(attack, ignored, battle.edition.cites.injured)) != 0:
            hand = hand._replace(hit=hand.hit - less)
        for _, _, term, scene in sorted(self.of_both(battle, "stat", who, doings), key=lambda row: rank(row[2])):
            if is_for(term, scene, weapon) and (scene.doing != "always" or term.get("weapons") or term.main in DAMAGE):
                is_barred = term.get("not-with-injury") and battle.is_injured(who)
                hand = hand if is_barred else without_step(hand, with_stat(hand, term), ignored)
        hand = hand if hand is bare else within_limits(hand)
        for _, _, term, scene in self.of_both(battle, "cap-damage", who, doings):
            if is_for(term, scene, weapon):
                normal, critical = map(int, str(term.main).split("/"))
                hand = hand._replace(normal=min(hand.normal, normal), critical=min(hand.critical, critical))
        more: list[WeaponRule] = []
        for _, clause, term, _ in self.of_both(battle, "reroll", who, doings):
            if term.main == "attack":
                more.append(given_reroll(clause, term))
        for law, clause, term, scene in self.of_both(battle, "convert", who, doings):
            if term.get("of") != "defence" and scene.doing in ("shooting", "fighting", "retaliating", "always"):
                more += law._conversions(clause, term, scene)
        for law, clause, term, scene in self.of_both(battle, "choose", who, doings):
            more += law._conversions(clause, term, scene)
        for _, clause, term, _ in self.of_both(battle, "critical-on", who, doings):
            if term.get("of") != "defence":
                more.append(GivenCritical(number=numbers(term), text=clause.title))
        hand = hand._replace(rules=(*hand.rules, *more))
        if any(self.of_both(battle, "no-critical-below", who, doings)):
            hand = without_criticals(hand)
        if self._is_unhurt(battle, target, attack):
            hand = allowed(hand._replace(used=(*hand.used, UNHURT)))
        forbids = self.of_both(battle, "forbid-reroll", who, doings)
        barred = [term for _, _, term, _ in forbids if term.main == "attack"]
        kept = [KeptResult(number=numbers(term, "results")) for term in barred if term.get("results") is not None]
        hand = hand._replace(rules=(*hand.rules, *kept))
        if len(barred) > len(kept):
            offered = {offer.rule for rule in hand.rules for offer in rule.rerolls(ONE_OF_EACH)}
            hand = hand._replace(used=(*hand.used, *sorted(offered), COMMAND, NO_MORE))
        return self._spared(battle, attack, hand)

    def _ignored(
        self, battle: Battle, one: OperativeState, doings: Sequence[Doing], weapon: Profile | None = None
    ) -> list[Ignored]:
        """What changes to stats the operative ignores in a sequence, those of *weapon* or its own."""
        found = self.of_both(battle, "ignore-changes", one, doings)
        return [
            Ignored.by(clause, term)
            for _, clause, term, scene in found
            if (is_for(term, scene, weapon) if weapon is not None else not term.get("weapons"))
        ]

    def _is_unhurt(self, battle: Battle, one: OperativeState, attack: Attack) -> bool:
        """Whether weapons such as that of the attack inflict no damage on the operative."""
        doings = (Doing("always", one, attack.who, None, attack.weapon),)
        wards = self.of_both(battle, "no-damage-from", one, doings)
        return any(all(is_weapon(attack.weapon, name) for name in names(term)) for _, _, term, _ in wards)

    def _spared(self, battle: Battle, attack: Attack, hand: Hand) -> Hand:
        """Without bystanders that Devastating with a distance does not affect, or weapons like this one do not hurt."""
        if not hand.bystanders:
            return hand
        spared = {
            id
            for id, _ in hand.bystanders
            for one in (battle.state.operatives[id],)
            if self._is_unhurt(battle, one, attack)
            or any('"' in each for _, _, term, _ in self.of_both(battle, "unaffected", one) for each in names(term))
        }
        return hand._replace(bystanders=tuple(each for each in hand.bystanders if each[0] not in spared))

    def guards(self, battle: Battle, attack: Attack) -> tuple[WeaponRule, ...]:
        target = attack.target
        doings = attacking(battle, attack.who, attack.weapon, target, attack.ruling)
        found: list[WeaponRule] = []
        for clause, term, scene in self.found(battle, "reroll", target, doings):
            if term.main == "defence" and self.is_left(scene):
                found.append(given_reroll(clause, term))
        for clause, term, scene in self.found(battle, "retain", target, doings):
            if self.is_left(scene):
                found.append(GivenSave(dice=numbers(term, "dice") or 1, text=clause.title))
        for word in ("convert", "choose"):
            for clause, term, scene in self.found(battle, word, target, doings):
                if scene.doing == "shot-at":
                    found += self._conversions(clause, term, scene)
        return tuple(found)

    def _conversions(self, clause: Clause, term: Term, scene: BoundRule) -> list[WeaponRule]:
        is_ploy = clause.is_paid
        if (self.refuses(scene) is not None) if is_ploy else not self.is_left(scene):
            return []
        late = conditions_of(clause.rule, term)[1]
        needs = tuple(each for each in late if each.word != "first-time")
        events, cp = self.used_events(scene), 0
        if is_ploy:
            events, cp = self.paid_events(scene), self.cost(scene)
        inner = term.main if term.word == "choose" and isinstance(term.main, tuple) else (term,)
        return [
            Conversion(
                what=str(each.main),
                becomes=str(each.get("to")),
                needs=needs,
                discards=bool(each.get("discard")),
                result=numbers(each, "result"),
                is_either=term.word == "choose",
                is_any=bool(each.get("any-retained")),
                cp=cp,
                events=tuple(events),
                text=clause.title,
            )
            for each in inner
            if isinstance(each, Term)
            for _ in range(_times(each, scene))
        ]

    def shot(self, battle: Battle, attack: Attack, shot: Shot) -> Shot:
        if not self.leads(battle, "shot"):
            return shot
        target = attack.target
        doings = attacking(battle, attack.who, attack.weapon, target, attack.ruling)
        save, ignored = shot.save, self._ignored(battle, target, doings)
        for _, _, term, scene in sorted(self.of_both(battle, "stat", target, doings), key=lambda row: rank(row[2])):
            if term.main == "save" and scene.doing == "shot-at":
                after = changed(term, save, True)
                if not any(each.is_about("save") and each.drops_step("save", save, after) for each in ignored):
                    save = after
        if save != shot.save:
            shot = shot._replace(save=max(2, save))
        for _, _, term, _ in self.of_both(battle, "cover-save", target, doings):
            if term.main == "all-critical":
                shot = shot._replace(is_critical_in_cover=True)
            elif shot.cover and not shot.is_improved:  # not cumulative with improved cover saves (KT24-VANTAGE-2)
                more = term.main == "extra"
                shot = shot._replace(cover=shot.cover + 1) if more else shot._replace(is_improved=True)
        for _, _, term, _ in self.of_both(battle, "critical-on", target, doings):
            if term.get("of") == "defence":
                shot = shot._replace(critical_on=min(shot.critical_on, numbers(term)))
        for _, clause, term, _ in self.of_both(battle, "no-damage-from", target, doings):
            if all(is_weapon(attack.weapon, name) for name in names(term)):
                shot = shot._replace(wards=(*shot.wards, Ward(clause.title, to=0)))
        if any(term.main == "defence" for _, _, term, _ in self.of_both(battle, "forbid-reroll", target, doings)):
            offered = {offer.rule for rule in shot.guards for offer in rule.rerolls(ONE_OF_EACH)}
            shot = shot._replace(used=(*shot.used, *sorted(offered), COMMAND, NO_MORE))
        return shot

    def wards(self, battle: Battle, target: OperativeState, enemy: OperativeState, while_: str) -> tuple[Ward, ...]:
        doing = Doing(while_, target, enemy, also=("damage", "always"))
        found = []
        for word in ("reduce-damage", "downgrade-crit", "roll"):
            for clause, term, scene in self.found(battle, word, target, (doing,)):
                if (ward := self._ward(clause, term, scene)) is not None:
                    found.append(ward)
        return tuple(found)

    def _ward(self, clause: Clause, term: Term, scene: BoundRule) -> Ward | None:
        """A firefight ploy about damage costs its CP when it is used; what is limited is used up by then."""
        late = conditions_of(clause.rule, term)[1]
        cp, is_ploy = 0, clause.is_paid
        if is_ploy:
            if self.refuses(scene) is not None:
                return None
            cp = self.cost(scene)
        elif not self.is_left(scene):
            return None
        is_limited = bool(clause.rule.limit) or is_ploy
        events = tuple(self.paid_events(scene) if is_ploy else self.used_events(scene))
        ward = ward_of(clause.title, term, late, clause.rule.may or is_ploy, is_limited, cp, events)
        # "The first time" is said of the rule; "one success" is any of them, and a condition of the effect.
        is_first = not is_ploy and any(each.word == "first-time" for each in clause.rule.conditions)
        return ward._replace(is_first=is_first)

    def duel(self, battle: Battle, who: OperativeState, enemy: OperativeState, duel: Duel) -> Duel:
        weapons = [weapon_of(battle, one, hand) for one, hand in zip((who, enemy), duel.hands, strict=True)]
        for index, (one, foe, does) in enumerate(((who, enemy, "fighting"), (enemy, who, "retaliating"))):
            doing = Doing(does, one, foe, weapons[index], weapons[1 - index])
            doings = (doing, doing._replace(doing="always"))
            for _, term, _ in self.found(battle, "block", one, doings):
                blocks = (*duel.blocks[index], "two" if term.main == "two" else "critical")
                duel = duel._replace(blocks=_at(duel.blocks, index, blocks))
            if self.is_said(battle, "early-block", one, doings):
                duel = duel._replace(blocks=_at(duel.blocks, index, (*duel.blocks[index], "early")))
            for _, term, _ in self.found(battle, "strike-damage", one, doings):
                duel = duel._replace(bonus=_at(duel.bonus, index, (numbers(term), numbers(term, "most"))))
            if index == 1 and self._resolves_first(battle, one, doings):
                duel = duel._replace(first_to_resolve=1)
            for clause in self.by_moment.get("incapacitated", ()):
                if any(each.word == "strike" for each in clause.rule.do):
                    last = self._strikes(battle, clause, one, does)
                    duel = duel if last is None else duel._replace(last_strike=_at(duel.last_strike, index, last))
        return duel

    def _strikes(self, battle: Battle, clause: Clause, one: OperativeState, does: str) -> LastStrike | None:
        """The strike a rule gives the operative as it falls, paid for where it is a ploy."""
        is_ploy = clause.is_paid
        for outer in self.bindings(battle, clause):
            try:
                scene = self.placed(outer, Doing(does, one))
                is_due = all(scene.holds(scene, each, None) for each in clause.rule.conditions)
            except Unknown:
                continue
            if is_due and (not is_ploy or self.refuses(scene) is None):
                return LastStrike(self.cost(scene), tuple(self.paid_events(scene))) if is_ploy else LastStrike()
        return None

    def retaliates_first(self, battle: Battle, who: OperativeState, enemy: OperativeState) -> bool:
        doing = Doing("retaliating", enemy, who)
        return self._resolves_first(battle, enemy, (doing, doing._replace(doing="always")))

    def _resolves_first(self, battle: Battle, enemy: OperativeState, doings: tuple[Doing, ...]) -> bool:
        for clause, term, scene in self.found(battle, "resolve-first", enemy, doings):
            is_first = not conditions_of(clause.rule, term)[1] or not was(scene, enemy, "retaliated")
            if is_first and self.is_left(scene):
                return True
        return False


def _times(term: Term, scene: BoundRule) -> int:
    """How often an effect is there: once, or for each token of a name that the foe has."""
    name = term.get("per-token")
    return 1 if name is None else 0 if scene.foe is None else tokens(scene, scene.foe, str(name))


def weapon_of(battle: Battle, who: OperativeState | None, hand: Hand) -> Profile | None:
    """The weapon that somebody's attack dice are rolled for."""
    if who is None:
        return None
    return next((each for each in battle.weapons(who) if hand.weapon and hand.weapon in (each.key, each.name)), None)


def without_criticals(hand: Hand) -> Hand:
    """The attack dice without rules by which results of less than 6 are critical, be they given later."""
    return allowed(hand._replace(used=(*hand.used, ONLY_SIXES)))


def allowed(hand: Hand) -> Hand:
    """The attack dice without rules that others have forbidden."""
    rules = [rule for rule in hand.rules if ONLY_SIXES not in hand.used or not _makes_critical(rule)]
    return hand._replace(rules=tuple(r for r in rules if UNHURT not in hand.used or not r.critical_damage()))


def _makes_critical(rule: WeaponRule) -> bool:
    if isinstance(rule, Conversion):
        return rule.becomes == "critical"
    return isinstance(rule, GivenCritical) or rule.text.startswith(("Lethal", "Rending", "Severe"))


DAMAGE = ("atk", "damage", "normal-damage", "critical-damage")


def with_stat(hand: Hand, term: Term) -> Hand:
    if term.main == "atk":
        return hand._replace(atk=changed(term, hand.atk))
    if term.main == "hit":
        return hand._replace(hit=changed(term, hand.hit, True))
    if term.main in ("damage", "normal-damage"):
        hand = hand._replace(normal=changed(term, hand.normal))
    if term.main in ("damage", "critical-damage"):
        hand = hand._replace(critical=changed(term, hand.critical))
    return hand


def within_limits(hand: Hand) -> Hand:
    """The attack dice, with as many and such results as dice can have, once all changes are made."""
    hit = min(6, max(2, hand.hit))
    return hand._replace(atk=max(1, hand.atk), hit=hit, normal=max(0, hand.normal), critical=max(0, hand.critical))


def given_reroll(clause: Clause, term: Term) -> GivenReroll:
    """The re-roll an effect gives."""
    dice = str(term.get("dice") or "1")
    results = str(term.get("results") or "")
    return GivenReroll(
        0 if dice == "any" else int(dice),
        results == "one-value",
        int(results) if results.isdigit() else 0,
        text=clause.title,
    )


def _at(pair: tuple[T, T], index: int, value: T) -> tuple[T, T]:
    return (value, pair[1]) if index == 0 else (pair[0], value)
