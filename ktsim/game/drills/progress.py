"""How a player gets on: a box per rule (Leitner's), moved up by a right answer and back to the first by a wrong one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from ktsim import paths
from ktsim.content.files import read_json, write_atomically
from ktsim.errors import UserError
from ktsim.game.drills.drill import Drill

WAITS = (0, 1, 3, 7, 21)
"""Days until a rule in each box is asked about again."""
FAMILIAR = 20
"""Answers after which how often one errs counts as much as the position itself."""


@dataclass
class RuleProgress:
    """One rule: its box, how often it was answered, and the day (ordinal) it is due again."""

    box: int = 0
    right: int = 0
    wrong: int = 0
    due: int = 0


@dataclass
class PracticeProgress:
    """Everything remembered of a player's drills. *note* says what was wrong with the file it came from."""

    rules: dict[str, RuleProgress] = field(default_factory=dict)
    streak: int = 0
    best_streak: int = 0
    note: str = ""

    def record(self, drill: Drill, is_right: bool, today: date) -> None:
        """Remember an answer."""
        kept = self.rules.setdefault(drill.rule, RuleProgress())
        kept.right += is_right
        kept.wrong += not is_right
        kept.box = min(kept.box + 1, len(WAITS) - 1) if is_right else 0
        kept.due = today.toordinal() + WAITS[kept.box]
        self.streak = self.streak + 1 if is_right else 0
        self.best_streak = max(self.best_streak, self.streak)

    def urgency(self, rule: str, today: date) -> tuple[int, int, float]:
        """The smallest is asked first: what is due, then the lowest box, then what goes wrong most often."""
        kept = self.rules.get(rule, RuleProgress())
        answered = kept.right + kept.wrong
        return (kept.due > today.toordinal(), kept.box, -kept.wrong / answered if answered else -0.5)

    def next_of(self, drills: Iterable[Drill], today: date) -> Drill:
        """The drill to ask now: weak rules first, then the easier one."""
        return min(drills, key=lambda drill: (*self.urgency(drill.rule, today), drill.difficulty))

    def difficulty(self, drill: Drill) -> float:
        """How hard the drill is for this player: the position's own difficulty, and how often its rule goes wrong."""
        kept = self.rules.get(drill.rule, RuleProgress())
        answered = kept.right + kept.wrong
        if not answered:
            return drill.difficulty
        weight = min(0.5, answered / (2 * FAMILIAR))
        return (1 - weight) * drill.difficulty + weight * kept.wrong / answered

    def weakest(self) -> list[tuple[str, RuleProgress]]:
        return sorted(self.rules.items(), key=lambda row: (row[1].box, -row[1].wrong, row[0]))


def progress_file() -> Path:
    return paths.user_data() / "practice.json"


def load_progress(path: Path | None = None) -> PracticeProgress:
    """What is remembered; a file that cannot be read is left alone and counts as empty, with a note."""
    path = path or progress_file()
    if not path.exists():
        return PracticeProgress()
    try:
        return _read(read_json(path))
    except (UserError, TypeError, ValueError, AttributeError):
        return PracticeProgress(note=f"{path} cannot be read; what was practised before is not counted.")


def _read(data: Any) -> PracticeProgress:
    found = PracticeProgress(streak=_count(data.get("streak", 0)), best_streak=_count(data.get("best_streak", 0)))
    for rule, entry in data.get("rules", {}).items():
        kept = RuleProgress(*(_count(entry.get(name, 0)) for name in ("box", "right", "wrong", "due")))
        kept.box = min(kept.box, len(WAITS) - 1)
        found.rules[str(rule)[:64]] = kept
    return found


def _count(value: object) -> int:
    if not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r} is no count")
    return value


def save_progress(progress: PracticeProgress, path: Path | None = None) -> None:
    path = path or progress_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = {
        "rules": {rule: asdict(entry) for rule, entry in sorted(progress.rules.items())},
        "streak": progress.streak,
        "best_streak": progress.best_streak,
    }
    write_atomically(path, json.dumps(kept, indent=1).encode())
