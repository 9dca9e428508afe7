"""How claims and names are judged against labels, with fragments made by hand."""

import json
from pathlib import Path

import pytest

from bench.extraction import Claims, Data, Names, Text, in_context, table, written
from graphmem.model.claim import ClaimKind
from graphmem.model.episode import Episode
from graphmem.model.fragment import Fragment, ProposedClaim, ProposedMention, ThingName


def person(name: str) -> ThingName:
    return ThingName(name, "person")


def claim(subject: str, predicate: str, target: str) -> ProposedClaim:
    return ProposedClaim(
        kind=ClaimKind.STARTS,
        subject=person(subject),
        predicate=predicate,
        object=person(target),
        statement=f"{subject} {predicate} {target}.",
        quote_start=0,
        quote_end=1,
        confidence=0.9,
    )


def fragment(*claims: ProposedClaim, mentions: tuple[ProposedMention, ...] = ()) -> Fragment:
    return Fragment(mentions=mentions, claims=claims, extractor="test", version="1")


def labelled(*relations: tuple[str, str, str]) -> Text:
    told = [{"subject": subject, "predicate": label, "object": target} for subject, label, target in relations]
    return Text("1", "Ana told Bruno.", (), told)


def judged(text: Text, *claims: ProposedClaim) -> Claims:
    used = frozenset(relation["predicate"] for relation in text.relations)
    score = Claims(table(), used, 0)
    score.add(text, [fragment(*claims)])
    return score


@pytest.mark.parametrize(
    ("label", "said"),
    [
        (("Ana", "per:siblings", "Tom"), claim("Tom", "sibling", "Ana")),  # of both alike
        (("Ana", "per:parents", "Carla"), claim("Carla", "child", "Ana")),  # the other way round
        (("Acme", "founded by", "Dana"), claim("Dana", "founded", "ACME")),  # exchanged, whatever the case
        (("Ana", "sibling", "Tom"), claim("Ana", "sibling", "Tom")),  # graphmem's own word
    ],
)
def test_a_claim_is_right_by_any_label_that_means_it(label: tuple[str, str, str], said: ProposedClaim) -> None:
    score = judged(labelled(label), said)
    assert (score.relations.right, score.relations.said, score.relations.wanted) == (1, 1, 1)


def test_a_name_may_stand_for_another_of_the_same_entity() -> None:
    score = judged(
        labelled(("Speaker 1", "per:alternate_names", "Tom"), ("Speaker 1", "per:siblings", "Ana")),
        claim("Ana", "sibling", "Tom"),
    )
    assert score.relations.right == 1
    assert (score.aliases.said, score.aliases.wanted) == (0, 1)


def test_what_no_label_could_confirm_is_counted_and_not_judged() -> None:
    score = judged(labelled(("Ana", "per:siblings", "Tom"), ("Ana", "flies", "kite")), claim("Ana", "founded", "Acme"))
    assert score.relations.said == 0
    assert dict(score.not_judged) == {"claimed: founded": 1, "labelled: flies": 1}


def test_names_are_judged_where_the_text_writes_them() -> None:
    text = Text("1", "Ana met her.", ({"name": "Ana", "type": "person"}, {"name": "May", "type": "time"}), ())
    (episode,) = text.episodes()
    mentions = (
        ProposedMention(entity=person("Ana"), start=0, end=3),
        ProposedMention(entity=person("Clara"), start=8, end=11),
    )
    score = Names(table(), frozenset({"person", "time"}))
    score.add(text, [(episode, fragment(mentions=mentions))])
    assert (score.typed.right, score.typed.said, score.typed.wanted) == (1, 1, 1)
    assert dict(score.not_judged) == {"labelled: time": 1}


def test_each_line_of_a_conversation_is_an_episode_of_its_speaker() -> None:
    def heard(text: str) -> list[tuple[str | None, str]]:
        episodes: list[Episode] = list(Text("1", text, (), ()).episodes())
        return [(episode.speaker, episode.content) for episode in episodes]

    assert heard("Ana: Hi!\nTom: Look: rain.") == [("Ana", "Hi!"), ("Tom", "Look: rain.")]
    assert heard("Ana: Hi!\nand no name") == [(None, "Ana: Hi!\nand no name")]


def test_case_title_and_blanks_beside_punctuation_make_no_other_name() -> None:
    assert written("Dr . Ana Berg") == written("Dr. ana berg") == written("Ana Berg")
    assert written("Berg - Meyer , Inc .") == written("berg-meyer, inc.")


def test_what_cannot_be_read_is_skipped_and_said(tmp_path: Path) -> None:
    lines = [json.dumps({"id": 1, "text": "Ana."}), "{", json.dumps({"id": 2})]
    (tmp_path / "some.jsonl").write_text("\n".join(lines), "utf-8")
    data = Data(None)
    (path,) = data.files([tmp_path, tmp_path / "absent.jsonl"])
    assert [text.id for text in data.read(path).texts] == ["1"]
    assert len(data.skipped) == 3


def test_claims_of_names_that_no_label_speaks_of_are_wrong_but_counted_apart() -> None:
    text = labelled(("Ana", "per:friends", "Tom"))
    score = judged(text, claim("Ana", "friend", "Tom"), claim("Ana", "friend", "Gus"))

    assert score.relations.figures()["precision"] == 0.5
    assert score.of_known_names.precision() == {"precision": 1.0, "right": 1, "said": 1}


def test_a_turn_is_read_with_those_before_it() -> None:
    text = Text("1", "Ana: Hi.\nBruno: Hello.\nAna: Bye.", (), ())
    before = [[turn.speaker for turn in context.turns] for _, context in in_context(list(text.episodes()), 1)]

    assert before == [[], ["Ana"], ["Bruno"]]
