"""The weapon rules a weapon has by what the texts of both sides say, and which of them count against a target."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.shoot.targets import rule_on
from ktsim.rules.engine.state import OperativeState, Side
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.teams.language.values import TeamText
from ktsim.rules.teams.playing.bound_rule import BoundRule, Unknown
from ktsim.rules.teams.playing.force import Doing, attacking
from ktsim.rules.teams.playing.in_sequences import SequenceRules, is_for, names, numbers
from ktsim.rules.teams.playing.weapon_names import is_rule

TOUCHING = ("grant", "weaken-rule", "replace-rule", "ignore-rule", "unaffected", "remove-rule")
"""Words that change which weapon rules count."""


class WeaponTexts(SequenceRules):
    """What is granted comes first, then what makes it weaker or another, last what takes it away; never the colours."""

    depth = 0
    """How deep it is in finding out what a weapon is granted."""
    _touched: tuple[str, ...] | None = None

    def weapon_texts(
        self,
        battle: Battle,
        who: OperativeState,
        weapon: Profile,
        target: OperativeState | None,
        ruling: TargetRuling | None,
        texts: list[str],
    ) -> list[str]:
        if not self.leads(battle, "weapon_texts"):
            return texts
        doings = attacking(battle, who, weapon, target, ruling)
        texts = self._granted(battle, who, weapon, target, doings, texts)
        return self._left_of(battle, who, weapon, target, doings, texts)

    def texts_touched(self) -> tuple[str, ...]:
        if self._touched is None:
            said = {word: [term for _, _, term in self.by_effect.get(word, ())] for word in TOUCHING}
            named = [name for terms in said.values() for term in terms for name in names(term)]
            instead = [name for term in said["grant"] for name in names(term, "instead-of")]
            self._touched = (*named, *instead, *(str(term.get("with")) for term in said["replace-rule"]), "Seek Light")
        return self._touched

    def _granted(
        self,
        battle: Battle,
        who: OperativeState,
        weapon: Profile,
        target: OperativeState | None,
        doings: Sequence[Doing],
        texts: list[str],
        but: tuple[Side, TeamText] | None = None,
    ) -> list[str]:
        """The weapon rules with those that texts of both sides (*but* one) grant; what comes instead of others last."""
        first = self.beside(battle)[0]
        first.depth += 1
        try:
            found = [
                term
                for law, clause, term, scene in self.of_both(battle, "grant", who, doings)
                if (law.side, clause.text) != but and is_for(term, scene, weapon)
            ]
        finally:
            first.depth -= 1
        for term in sorted(found, key=lambda term: bool(names(term, "instead-of"))):
            gone = names(term, "instead-of")
            heads = {each.partition(" ")[0] for each in names(term)} if gone == ("same",) else set()
            texts = [each for each in texts if each not in gone and each.partition(" ")[0] not in heads]
            texts += names(term)
        if target is None or weapon.kind != "ranged":
            return texts
        is_bare = any(self.of_both(battle, "no-light-cover", target, doings))
        return [*texts, "Seek Light"] if is_bare else texts

    def rules_had(self, scene: BoundRule, one: OperativeState, weapon: Profile) -> list[str]:
        """The weapon rules a weapon has already: those printed on it, and those by whatever else than the text that
        asks. What is granted for having others is not heard where that itself is being found out."""
        battle, first = scene.battle, self.beside(scene.battle)[0]
        if first.depth > 1:
            raise Unknown("weapon rules")
        target = scene.who if one is scene.foe else scene.foe
        doings = attacking(battle, one, weapon, target, scene.ruling)
        texts = battle.rules_had(one, weapon, target)
        for rule in battle.having("weapon_rules"):
            texts += rule.weapon_rules(battle, one, weapon)
        return self._granted(battle, one, weapon, target, doings, texts, (scene.side, scene.clause.text))

    def left_against(
        self, battle: Battle, one: OperativeState, weapon: Profile, target: OperativeState, texts: list[str]
    ) -> list[str]:
        ruling = None
        if weapon.kind == "ranged":
            ruling = rule_on(battle, one, target, battle.weapon_rules(one, weapon, target))
        doings = attacking(battle, one, weapon, target, ruling)
        return self._left_of(battle, one, weapon, target, doings, texts)

    def _left_of(
        self,
        battle: Battle,
        who: OperativeState,
        weapon: Profile,
        target: OperativeState | None,
        doings: Sequence[Doing],
        texts: list[str],
    ) -> list[str]:
        """What both sides leave of weapon rules: some are weaker, some do not count at all, and of those that are left
        some are others (Piercing 2 may be Piercing 1 where Piercing 1 is ignored)."""
        if target is not None:
            for law, _, term, scene in self.of_both(battle, "weaken-rule", target, doings):
                if law.is_left(scene):
                    by = numbers(term, "by")
                    texts = [weaker for text in texts for weaker in _weakened(text, str(term.main), by)]
            for word in ("ignore-rule", "unaffected"):
                for _, _, term, _ in self.of_both(battle, word, target, doings):
                    texts = texts if term.get("unless-target") else _without(texts, names(term))
            for _, _, term, _ in self.of_both(battle, "replace-rule", target, doings):
                texts = [str(term.get("with")) if is_rule(text, str(term.main)) else text for text in texts]
        for _, _, term, scene in self.of_both(battle, "remove-rule", who, doings):
            if is_for(term, scene, weapon):
                texts = _without(texts, names(term))
        return texts


def _without(texts: list[str], gone: Sequence[str]) -> list[str]:
    if "all" in gone:
        return []
    return [text for text in texts if not any(is_rule(text, name) for name in gone)]


def _weakened(text: str, name: str, by: int) -> list[str]:
    """The rule with a lower number, or nothing when that is used up."""
    if not is_rule(text, name):
        return [text]
    words, _, number = text.rpartition(" ")
    left = int(number) - by
    return [f"{words} {left}"] if left > 0 else []
