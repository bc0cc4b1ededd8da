"""Games are played as of a date, keep it in their saves and say it (KT24-DATED)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ktsim.cli import main
from ktsim.errors import UserError
from ktsim.game.record import load, setup_from
from ktsim.game.setup import Setup, prepare
from ktsim.game.story import score_sheet
from ktsim.rules.engine.sight_table import SightTable

PLAIN = ["sim", "--killzone", "open", "--table", "plain", "--mission", "skirmish"]


@pytest.mark.rule("KT24-DATED")
@pytest.mark.parametrize("date", ["2025-03", "2026-01"])
def test_battle_table_and_scenes_carry_the_date_of_the_game(date: str) -> None:
    battle, state = prepare(Setup(mission="skirmish", rules=date))
    assert battle.rules_as_of == date
    assert isinstance(battle.table, SightTable)
    assert battle.table.scene(state).rules_as_of == date
    assert battle.table.twin().scene(state).rules_as_of == date
    assert score_sheet(battle)[-1] == f"Rules as of {date}."


@pytest.mark.rule("KT24-DATED")
def test_the_first_date_holds_unless_somebody_says_and_others_are_refused() -> None:
    assert prepare(Setup(table="plain"))[0].rules_as_of == "2025-03"
    with pytest.raises(UserError, match=r"2024-10: no such date.* 2025-03 and 2026-01"):
        prepare(Setup(table="plain", rules="2024-10"))
    older = prepare(replace(Setup("kt21-lite", red="cinder-choir", blue="brine-throng"), table="plain"))[0]
    assert not any("as of" in line for line in score_sheet(older))


@pytest.mark.rule("KT24-DATED")
def test_sim_takes_a_date_and_its_replays_keep_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*PLAIN, "--rules", "2026-01", "--json", "--score", "--out", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["rules_as_of"] == "2026-01"
    saved = tmp_path / "game-0001.ktsim"
    assert load(saved).game.battle.rules_as_of == "2026-01"
    assert main(["replay", str(saved)]) == 0
    assert capsys.readouterr().out.startswith("Rules as of 2026-01.\n")
    assert main([*PLAIN, "--rules", "2026"]) == 2
    assert "the rules are known as of 2025-03 and 2026-01" in capsys.readouterr().err


@pytest.mark.rule("KT24-DATED")
def test_a_save_from_before_there_were_dates_is_played_as_of_the_first(tmp_path: Path) -> None:
    kept = Setup(table="plain", rules="2026-01").to_json()
    assert setup_from({"setup": kept}, tmp_path).rules == "2026-01"
    del kept["rules"]
    assert setup_from({"setup": kept}, tmp_path).rules == "2025-03"
