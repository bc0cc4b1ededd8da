"""The language of team rules: values, the table of its words, reading and writing it."""

from ktsim.rules.teams.language.read import LanguageReader
from ktsim.rules.teams.language.values import LanguageRule, TeamText, Term, Whom, term, words_of
from ktsim.rules.teams.language.vocabulary import PARTS
from ktsim.rules.teams.language.write import written_rule, written_text

__all__ = [
    "PARTS",
    "LanguageReader",
    "LanguageRule",
    "TeamText",
    "Term",
    "Whom",
    "term",
    "words_of",
    "written_rule",
    "written_text",
]
