"""Every word of the language of team rules, with its arguments: the one table readers, checkers and players share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class ArgumentKind(Enum):
    """What an argument is; the value says it for a sentence."""

    NUMBER = "a whole number from -20 to 99"
    AMOUNT = "a number or dice such as D3+1"
    INCHES = "inches from 0 to 60"
    COMPARE = "a comparison such as '>=3', '<6' or '=7'"
    WORD = "one of its words"
    NAME = "a name of at most 64 printable characters"
    NAMES = "a name or a list of names"
    FLAG = "true"
    WHOM = "an operative: self, who, foe, picked, friend, enemy, anyone, or a mapping with 'is'"
    CONDITIONS = "a condition or a list of them"
    EFFECTS = "a list of effects"
    UNTIL = "how long it lasts"
    RULES = "a list of rules"


@dataclass(frozen=True)
class Argument:
    kind: ArgumentKind
    choices: tuple[str, ...] = ()

    @property
    def wanted(self) -> str:
        """What would be right, for a sentence."""
        return "one of " + ", ".join(self.choices) if self.choices else self.kind.value


@dataclass(frozen=True)
class WordEntry:
    """One word: what it says, its main argument, whether that may be left out, and its other arguments."""

    says: str
    main: Argument | None = None
    bare: bool = False
    args: Mapping[str, Argument] = field(default_factory=dict)


ROLES = {
    "self": "the operative whose datacard the rule is on, or that performs the action",
    "who": "the operative the rule is about",
    "foe": "the other operative of the sequence, the one it is about aside",
    "picked": "whom `pick` chose",
    "first": "the first one chosen, when another is picked after it",
    "friend": "any operative of the rule's side",
    "enemy": "any operative of the other side",
    "anyone": "any operative",
}
ALIASES = {"target": "foe", "shooter": "foe"}


def _a(kind: ArgumentKind) -> Argument:
    return Argument(kind)


def _one(*choices: str) -> Argument:
    return Argument(ArgumentKind.WORD, choices)


NUMBER, AMOUNT, INCHES, COMPARE = (
    _a(ArgumentKind.NUMBER),
    _a(ArgumentKind.AMOUNT),
    _a(ArgumentKind.INCHES),
    _a(ArgumentKind.COMPARE),
)
NAME, NAMES, FLAG, WHOM = _a(ArgumentKind.NAME), _a(ArgumentKind.NAMES), _a(ArgumentKind.FLAG), _a(ArgumentKind.WHOM)
CONDITION, EFFECT, UNTIL_, RULES = (
    _a(ArgumentKind.CONDITIONS),
    _a(ArgumentKind.EFFECTS),
    _a(ArgumentKind.UNTIL),
    _a(ArgumentKind.RULES),
)
DICE = _one("attack", "defence")
SUCCESS = _one("normal", "critical")
PERIOD = _one("sequence", "action", "activation", "turning-point", "battle")
STATS = ("apl", "move", "save", "wounds", "hit", "atk", "damage", "normal-damage", "critical-damage")


def _entry(says: str, main: Argument | None = None, bare: bool = False, **args: Argument) -> WordEntry:
    return WordEntry(says, main, bare, {key.rstrip("_").replace("_", "-"): value for key, value in args.items()})


MOMENTS: dict[str, WordEntry] = {
    "always": _entry("all the time"),
    "used": _entry("as the ploy, the action or the equipment is used"),
    "shooting": _entry("while who shoots foe"),
    "shot-at": _entry("while foe shoots who"),
    "fighting": _entry("while who fights foe"),
    "retaliating": _entry("while who retaliates against foe"),
    "activated": _entry("as who is activated"),
    "activation": _entry("during the activation of who, before or after an action"),
    "activation-ended": _entry("as the activation of who ends"),
    "expended": _entry("as who is expended"),
    "counteracts": _entry("as who counteracts"),
    "apl-changed": _entry("as the APL of who is changed"),
    "doing": _entry("as who performs one of these actions", NAMES, except_=NAMES),
    "done": _entry("after who performed one of these actions, or any", NAMES, bare=True),
    "has-fought": _entry("after who has fought or retaliated"),
    "targeted": _entry("as who is selected as the target of foe's Shoot action"),
    "fought": _entry("as who is selected to be fought against by foe"),
    "choosing-target": _entry("as who is about to select the target of its Shoot action"),
    "choosing-weapon": _entry("as who has selected one of these weapons", NAMES, bare=True),
    "rolled": _entry("after attack or defence dice were rolled", DICE, by=_one("who", "foe")),
    "rolling": _entry("as who is about to roll its attack dice against foe", _one("attack")),
    "defending": _entry("as who is about to roll its defence dice against foe, whose attack dice are retained"),
    "damage": _entry("as an attack die inflicts damage on who"),
    "strikes": _entry("as who strikes with a success"),
    "dying": _entry("as who would be incapacitated"),
    "incapacitated": _entry("as who is incapacitated, before it is removed"),
    "incapacitates": _entry("as who incapacitates foe"),
    "gambit": _entry("as a strategic gambit"),
    "strategy-phase": _entry("as the Strategy phase begins"),
    "firefight-begins": _entry("as the Firefight phase begins"),
    "firefight-ends": _entry("as the Firefight phase ends"),
    "turning-point-ended": _entry("as the turning point ends"),
    "ready-step": _entry("in the Ready step"),
    "selected": _entry("at the end of the Select Operatives step"),
    "set-up": _entry("as who is set up before the battle"),
    "control": _entry("while control of a marker is determined", _one("marker", "objective"), bare=True),
    "near-marker": _entry("the first time this marker is within the control range of who", NAME),
}

_ABOUT: dict[str, Argument] = {"about": WHOM}


def _condition(says: str, main: Argument | None = None, bare: bool = False, **args: Argument) -> WordEntry:
    return _entry(says, main, bare, **args, **_ABOUT)


CONDITIONS: dict[str, WordEntry] = {
    "not": _entry("none of these holds", CONDITION),
    "any": _entry("at least one of these holds", CONDITION),
    "all": _entry("all of these hold", CONDITION),
    "within": _condition(
        "within so many inches of an operative or marker; *visible*: to that operative",
        INCHES,
        visible=FLAG,
        mutual=FLAG,
        of=WHOM,
        marker=NAME,
        wholly=FLAG,
        horizontally=FLAG,
        edge=FLAG,
        drop_zone=_one("own", "theirs"),
    ),
    "more-than": _condition("further than so many inches from", INCHES, from_=WHOM, marker=NAME, horizontally=FLAG),
    "visible": _condition("visible to", WHOM, bare=True, mutual=FLAG),
    "control-range": _condition("within control range of", WHOM, bare=True),
    "no-other": _condition("no other enemy within its control range"),
    "order": _condition("has this order, or the one that was chosen", _one("engage", "conceal", "picked")),
    "changed-order": _condition("its order was changed to this as it was activated", _one("engage", "conceal")),
    "wounded": _condition("wounded"),
    "injured": _condition("injured"),
    "ready": _condition("ready"),
    "expended": _condition("expended"),
    "incapacitated": _condition("incapacitated", during=PERIOD),
    "activated-now": _condition("in its own activation"),
    "counteracting": _condition("in its own counteraction"),
    "charged": _condition("performed the Charge action in this activation"),
    "moved": _condition(
        "moved; further than so many inches, or than its Move", during=PERIOD, more_than=INCHES, more_than_stat=FLAG
    ),
    "first-of": _condition("is performing one of these actions for the first time in its activation", NAMES),
    "did": _condition("performed one of these actions", NAMES, during=PERIOD, by=_one("self", "friend")),
    "shot": _condition("was shot by", WHOM, during=PERIOD),
    "killed": _condition("incapacitated an enemy", during=PERIOD),
    "hurt": _condition("inflicted damage on an enemy", during=PERIOD),
    "was-visible": _condition("was visible to an enemy as the activation began"),
    "was-wounded": _condition("was wounded as the action began"),
    "was-engaged": _condition("was within control range of an enemy as the activation began"),
    "status": _condition("is in this state, which a rule of the team defines", NAME),
    "being-shot": _condition("a target of the Shoot action under way"),
    "primary-target": _condition("was selected as the target itself, not hit as well"),
    "token": _condition("has a token of this name", NAME, at_least=NUMBER),
    "placed": _condition("placed this marker in the action just performed", NAME),
    "carrying": _condition("carries a marker", NAME, bare=True),
    "keyword": _condition("has these keywords", NAMES),
    "is": _condition("is this operative", WHOM),
    "foe": _entry("the foe is this operative", WHOM),
    "in-cover": _condition("in cover"),
    "has-cover-saves": _condition("can retain cover saves"),
    "obscured": _condition("obscured"),
    "light-between": _condition('Light terrain intervenes, more than 1" from both'),
    "terrain-near": _condition("this kind of terrain is within its control range", NAMES),
    "valid-target": _condition("a valid target for", WHOM),
    "contests": _condition("contests one of these markers", NAMES),
    "controls": _condition("controls one of these markers", NAMES),
    "territory": _condition("within a territory or drop zone", _one("own", "theirs", "drop-zone"), wholly=FLAG),
    "on-board": _condition("in the killzone"),
    "higher": _condition("so many inches higher than foe", INCHES),
    "weapon": _condition("the weapon used is one of these", NAMES),
    "weapon-rule": _condition("the weapon used has one of these rules", NAMES),
    "die": _entry("the die is", SUCCESS),
    "damage": _entry("the damage it inflicts", COMPARE),
    "fails": _entry("the fails rolled", COMPARE),
    "successes": _entry("the successes retained; or those *rolled* among the defence dice", COMPARE, rolled=FLAG),
    "criticals": _entry("the critical successes retained", COMPARE),
    "damaged-with": _entry("damage was inflicted with any of these successes", SUCCESS, bare=True),
    "roll": _entry("a D6 is rolled for it and the result is", COMPARE),
    "stat": _condition("its printed stat", _one(*STATS), is_=COMPARE),
    "turning-point": _entry("the number of the turning point", COMPARE),
    "initiative": _entry("its player has the initiative"),
    "first-time": _entry("the first time in this period", _one(*PERIOD.choices, "effect")),
    "spent": _entry("such points were spent in the sequence", NAME),
    "used-rule": _entry("this rule or ploy was used", NAME, during=PERIOD),
    "assisted": _condition("assisted", by=WHOM),
    "marker-placed": _entry("this marker is in the killzone", NAME),
    "exists": _entry("there is such an operative in the killzone", WHOM),
    "engagable": _condition("could be fought by foe"),
}

LIMITS: dict[str, WordEntry] = {
    "once": _entry("once", PERIOD, each=FLAG),
    "twice": _entry("twice", PERIOD, each=FLAG),
    "times": _entry("so many times", NUMBER, per=PERIOD),
    "not-with": _entry("not together with this other rule in one turning point", NAME),
    "not-in": _entry("not in this turning point", NUMBER),
    "each-once": _entry("each operative once", PERIOD),
    "equipment-limit": _entry("as often as the equipment allows"),
}

UNTILS: dict[str, WordEntry] = {
    "sequence": _entry("to the end of the sequence"),
    "action": _entry("to the end of the action"),
    "activation": _entry("to the end of the activation or counteraction"),
    "turning-point": _entry("to the end of the turning point"),
    "battle": _entry("to the end of the battle"),
    "own-next-activation": _entry("to the start of the next activation of the operative that did it"),
    "own-next-activation-end": _entry("to the end of the next activation of the operative that did it"),
    "next-activation-start": _entry("to the start of the next activation of whom it is about"),
    "next-activation-end": _entry("to the end of the next activation of whom it is about"),
    "next-ready-step": _entry("to the Ready step of the next Strategy phase"),
    "incapacitated": _entry("until the operative that did it is incapacitated"),
    "performed-again": _entry("until the operative that did it performs the action again"),
    "performed-by-friend": _entry("until any friendly operative performs the action again"),
    "next-activations": _entry("for D3 activations of the next turning point"),
    "while": _entry("while the conditions hold", CONDITION, bare=True),
}

_EACH: dict[str, Argument] = {"who": WHOM, "until": UNTIL_, "if": CONDITION, "instead": FLAG}


def _effect(says: str, main: Argument | None = None, bare: bool = False, **args: Argument) -> WordEntry:
    return _entry(says, main, bare, **args, **{key: value for key, value in _EACH.items() if key not in args})


EFFECTS: dict[str, WordEntry] = {
    "grant": _effect(
        "its weapons have these rules; *weapons*: kinds, names, ``*part of one*``, ``name/profile``, ``not ...``, the"
        " ``same`` as in the effect before, ``that`` one of the moment",
        NAMES,
        weapons=NAMES,
        instead_of=NAMES,
        choose=NUMBER,
    ),
    "remove-rule": _effect("its weapons lose these rules", NAMES, weapons=NAMES),
    "stat": _effect(
        "changes a stat, for the better by a positive number; or sets it",
        _one(*STATS),
        by=NUMBER,
        set=NUMBER,
        most=NUMBER,
        least=NUMBER,
        weapons=NAMES,
        not_with_injury=FLAG,
        as_long_as_distance=FLAG,
    ),
    "ignore-changes": _effect(
        "changes to these stats are ignored", NAMES, from_=_one("injury", "all"), weapons=NAMES, except_=NAMES
    ),
    "reroll": _effect(
        "re-roll dice",
        DICE,
        dice=_one("1", "2", "any"),
        results=_one("one-value", "1", "2", "3", "4", "5", "6"),
        must=FLAG,
        initiative=FLAG,
    ),
    "forbid-reroll": _effect("its dice cannot be re-rolled", DICE, results=NUMBER),
    "retain": _effect("retain so many dice without rolling", SUCCESS, dice=NUMBER, of=DICE),
    "convert": _effect(
        "retain a die as something better",
        _one("fail", "normal", "result"),
        to=SUCCESS,
        of=DICE,
        discard=FLAG,
        result=NUMBER,
        dice=NUMBER,
    ),
    "critical-on": _effect("successes from this number are critical", NUMBER, of=DICE),
    "no-critical-below": _effect("results below this cannot be retained as critical", NUMBER),
    "cover-save": _effect("improves its cover save", _one("extra", "critical", "either", "all-critical")),
    "reduce-damage": _effect(
        "that damage is less; not where the rule *not-with* has lessened it",
        AMOUNT,
        bare=True,
        least=NUMBER,
        halve=FLAG,
        to=NUMBER,
        whole=FLAG,
        not_with=NAME,
    ),
    "downgrade-crit": _effect("a critical success inflicts normal damage"),
    "damage": _effect("damage; for each of *per*", AMOUNT, most=NUMBER, per=WHOM),
    "downgrade-all": _effect("the attacker's critical successes become normal ones"),
    "strike-damage": _effect("that strike inflicts more", AMOUNT, most=NUMBER),
    "heal": _effect("regains lost wounds", AMOUNT),
    "survive": _effect("is not incapacitated and has so many wounds", NUMBER),
    "free-action": _effect(
        "may perform one of these actions for free; 1AP: any that costs 1AP",
        NAMES,
        most=INCHES,
        no_move=FLAG,
        order=_one("any", "engage", "conceal"),
        end_within=WHOM,
        end_near=WHOM,
        near=INCHES,
        closer_to=NAMES,
        times=NUMBER,
        regardless=FLAG,
        in_spite_of=NAMES,
        except_=NAMES,
        before_removed=FLAG,
        must=FLAG,
        against=WHOM,
        weapons=NAMES,
        any_order=FLAG,
        end_zone=NAME,
        not_further=WHOM,
        count=AMOUNT,
        then_forbid=NAMES,
        fresh=FLAG,
        only_once=FLAG,
        leaves=NAMES,
        each=FLAG,
        weapons_each=NAMES,
        most_for=_one("first", "last"),
        after=NAMES,
        afterwards=FLAG,
    ),
    "ap-cost": _effect("these actions cost it so much more or less AP", NUMBER, actions=NAMES, except_=NAMES),
    "allow": _effect(
        "may perform these actions although it could not",
        NAMES,
        regardless=FLAG,
        times=NUMBER,
        while_=NAMES,
        after=NAMES,
        free_once=FLAG,
        weapons=NAMES,
        either=FLAG,
        most=NUMBER,
        only_foe_engaged=FLAG,
        except_=NAMES,
        leftover=INCHES,
        psychic_once=FLAG,
        dear=NAMES,
        dear_once=NAMES,
        must=FLAG,
    ),
    "forbid": _effect("cannot perform these actions", NAMES, except_=NAMES, again=FLAG),
    "forbid-weapons": _effect("cannot use such weapons", NAMES, not_own=FLAG),
    "forbid-retaliation": _effect("cannot retaliate"),
    "forbid-assist": _effect("cannot assist in a fight"),
    "forbid-move": _effect("cannot climb, drop or jump", NAMES),
    "forbid-target": _effect("cannot be selected as a target", unless_within=INCHES, precedence=FLAG),
    "order": _effect("its order is changed", _one("engage", "conceal", "change"), may=FLAG),
    "immune": _effect("cannot be chosen for, nor be within distances of, such actions", NAMES),
    "cap-damage": _effect("its weapons' damage is at most this", NAME, weapons=NAMES),
    "no-damage-from": _effect("such weapons inflict no damage on it", NAMES),
    "control-apl": _effect("its APL counts so much more for control", NUMBER, total=FLAG, set=NUMBER, at_least=NUMBER),
    "controls": _effect("controls the markers it contests"),
    "counteract": _effect("may counteract", _one("any-order", "again"), bare=True),
    "extra-action": _effect("may perform one more action that costs 1AP, a different one", NUMBER, not_both=NAMES),
    "cp": _effect("its player gains CP", NUMBER),
    "points": _effect("its player gains points or tokens; for each of *per*", AMOUNT, of=NAME, most=NUMBER, per=WHOM),
    "ploy-cost": _effect("these ploys cost so much", NAMES, cp=NUMBER, specified=WHOM, more=NUMBER),
    "obscure": _effect("is obscured"),
    "reveal": _effect("cannot be this", _one("obscured", "cover", "both"), light=FLAG, within=INCHES),
    "no-light-cover": _effect("cannot use Light terrain for cover when a target is selected"),
    "ignore-rule": _effect("these weapon rules have no effect on it", NAMES),
    "weaken-rule": _effect("the number of this weapon rule is worse", NAME, by=NUMBER),
    "replace-rule": _effect("weapons with this rule have that instead", NAME, with_=NAME),
    "unaffected": _effect("is not affected by these weapon rules of enemies", NAMES, unless_target=FLAG),
    "token": _effect("gains a token", NAME, count=AMOUNT, most=NUMBER, otherwise=EFFECT),
    "lose-token": _effect("loses a token", NAME),
    "marker": _effect(
        "a marker is placed",
        NAME,
        within=INCHES,
        of=WHOM,
        in_control_range=WHOM,
        visible=FLAG,
        not_under_vantage=FLAG,
        either=NAME,
        again=FLAG,
        move=INCHES,
    ),
    "remove-marker": _effect("a marker is removed", NAME),
    "pick": _effect(
        "choose operatives; *with-first*: besides the one chosen before",
        WHOM,
        count=AMOUNT,
        up_to=FLAG,
        may=FLAG,
        all=FLAG,
        not_after=NAME,
        not_benefiting=FLAG,
        with_first=FLAG,
    ),
    "pick-order": _effect("choose Engage or Conceal"),
    "pick-marker": _effect("choose a marker", NAMES),
    "roll": _effect("roll dice and see", AMOUNT, at=COMPARE, do=EFFECT, else_=EFFECT, add=NUMBER, add_if=CONDITION),
    "choose": _effect("choose one of these", EFFECT, count=NUMBER),
    "option": _effect(
        "an option of this list is chosen with the roster",
        NAME,
        count=NUMBER,
        of=NAMES,
        different=FLAG,
        change=FLAG,
        given=FLAG,
        not_for=WHOM,
        not_these=NAMES,
        each_once=PERIOD,
    ),
    "options": _effect(
        "choose one of these rules to have", RULES, names=NAMES, count=NUMBER, different=FLAG, each_once=PERIOD
    ),
    "next-activation": _effect("is activated at once, before the opponent", WHOM, may=FLAG, together=FLAG),
    "skip-activation": _effect("the activation is skipped"),
    "redirect": _effect("becomes the target, or is fought, instead"),
    "block": _effect("its blocks", _one("two", "critical-with-normal"), unless_brutal=FLAG),
    "strike": _effect("strikes with an unresolved success before it is removed"),
    "resolve-first": _effect("resolves the first success"),
    "early-block": _effect("resolves one success before the normal order, as a block"),
    "double-strike": _effect("resolves another success as a strike at once"),
    "move-extra": _effect("it may move so much further, by these actions", INCHES, actions=NAMES),
    "relocate": _effect(
        "is removed and set up again instead of moving",
        INCHES,
        bare=True,
        own_move=FLAG,
        visible=FLAG,
        of=WHOM,
        through_walls=FLAG,
        dash=INCHES,
        no_engage=FLAG,
        actions=NAMES,
        swap=FLAG,
        horizontally=FLAG,
    ),
    "add-weapon": _effect("has this weapon too", NAMES, times=NUMBER, per=PERIOD),
    "use-grenades": _effect("may use these grenades, not counted", NAMES, hit=NUMBER),
    "not-counted": _effect("does not count for the kill op, nor for what asks who survives"),
    "shoot-past-friends": _effect("friends in the target's control range do not matter"),
    "cancel": _effect("the action is cancelled and cannot be performed again", refund=FLAG),
    "end": _effect("ends at once", _one("activation", "action")),
    "counts-as": _effect("is treated as having this", NAME),
    "carries": _effect("carries this marker as the battle begins", NAME, not_near_enemy=FLAG),
    "distance": _effect("distances of such actions are longer", INCHES, actions=NAMES),
    "visible-from-all": _effect("lines of sight from it are drawn from any part of it"),
    "climb": _effect("a climb counts as this far", INCHES),
    "drop": _effect("drops cost no distance"),
    "forbid-order": _effect("cannot have this order", _one("engage", "conceal")),
    "status": _effect("is in this state", NAME),
    "head": _effect("lines of sight to and from it are drawn from this part of it", NAME),
    "extra-equipment": _effect("its player selects so many more equipment options", NUMBER),
    "card": _effect("what its text says is left to the players"),
}
COSTS: dict[str, WordEntry] = {
    "ap": _entry("AP", NUMBER),
    "cp": _entry("CP", NUMBER),
    "points": _entry("points", NUMBER, of=NAME),
}

PARTS: dict[str, dict[str, WordEntry]] = {
    "moment": MOMENTS,
    "condition": CONDITIONS,
    "limit": LIMITS,
    "until": UNTILS,
    "effect": EFFECTS,
    "cost": COSTS,
}
