"""“Yes” and “no” to what was asked are sentences of whoever says them, and only where they leave nothing open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.offline.claims.questions import answered

SAID = [
    ("Are you vegetarian?", "Yes.", "I am vegetarian."),
    ("So you moved to Porto, right?", "yes", "I moved to Porto."),
    ("OK, just to check: do you live in Porto?", "Yeah, I do.", "I live in Porto."),
    ("Do you still work at Initech?", "yep", "I still work at Initech."),
    ("Do you still work at Initech?", "No.", "I no longer work at Initech."),
    ("Are you still together with Tom?", "no, not any more", "I am no longer together with Tom."),
    ("You’re allergic to peanuts, aren’t you?", "That’s right.", "I am allergic to peanuts."),
    ("Your wife is Ana, correct?", "Correct!", "My wife is Ana."),
    ("Did you move to Porto in March?", "I did.", "I moved to Porto in March."),
    ("Did you quit your job?", "Yes, I did", "I quit my job."),
    ("You said you live in Rome, right?", "Yes.", "I live in Rome."),
    ("I think you mentioned that your wife is Ana?", "Yes.", "My wife is Ana."),
    ("You have two kids, Mia and Ben?", "exactly", "I have two kids, Mia and Ben."),
]
UNSAID = [
    ("Do you have any allergies?", "Yes."),
    ("Do you live in Porto or Lisbon?", "Yes."),
    ("Do you want me to book it?", "Yes please."),
    ("Would you like a coffee?", "yes"),
    ("Have you ever lived in Rome?", "yes"),
    ("Don't you live in Rome?", "yes"),
    ("Are you allergic to nuts?", "No."),
    ("You moved to Porto.", "Yes."),
    ("Do you live in Porto?", "Yes, but only until May."),
    ("Do you live in Porto?", "Maybe."),
    ("Did you frobnicate it?", "yes"),
    ("Do you still live with Tom in Leeds?", "No."),
    ("Are you still off sugar?", "no"),
    ("Do you still have your cat Momo?", "no"),
    ("", "yes"),
]


@pytest.mark.parametrize(("question", "answer", "said"), SAID)
def test_a_mere_answer_is_the_question_in_own_words(question: str, answer: str, said: str) -> None:
    assert answered(question, answer) == said


@pytest.mark.parametrize(("question", "answer"), UNSAID)
def test_what_leaves_something_open_says_nothing(question: str, answer: str) -> None:
    assert answered(question, answer) is None


@given(st.text(), st.sampled_from(["yes", "no", "Yes, I do.", ""]))
def test_any_question_may_be_answered(question: str, answer: str) -> None:
    said = answered(question, answer)
    assert said is None or said.startswith(("I ", "My "))
