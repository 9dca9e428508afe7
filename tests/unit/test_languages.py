"""Texts in other languages than English are known for what they are, and the offline reader leaves them alone."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphmem.extract.offline.extractor import OfflineExtractor
from graphmem.extract.offline.languages import foreign_spans, unread, without
from graphmem.model.episode import Episode, EpisodeRole

FOREIGN = {
    "Arabic": ("أعيش في القاهرة منذ عام.", "أختي تعمل في دبي."),
    "Catalan": ("Visc a Girona i treballo a l'ajuntament.",),
    "Chinese": ("我住在里斯本。", "我妹妹在谷歌工作。"),
    "Czech": ("Bydlím v Praze.", "Moje sestra se přestěhovala do Brna."),
    "Danish": ("Jeg bor i Aarhus.", "Min søster arbejder hos Lego."),
    "Dutch": ("Ik woon in Utrecht.", "Mijn zus is naar Gent verhuisd."),
    "Finnish": ("Asun Turussa ja olen opettaja.", "Siskoni muutti Ouluun, mutta minä en."),
    "French": (
        "J'habite à Lyon depuis mars.",
        "Bonjour ! Je m’appelle Zoé et je travaille chez Michelin.",
        "On a déménagé hier.",
        "JE SUIS ALLERGIQUE AUX NOIX",
    ),
    "German": ("Ich wohne in Berlin.", "Seit März arbeite ich bei Siemens.", "Wir haben uns getrennt."),
    "Greek": ("Μένω στην Αθήνα.", "Η αδερφή μου είναι γιατρός."),
    "Hebrew": ("אני גר בתל אביב.",),
    "Hindi": ("मैं दिल्ली में रहता हूँ।",),
    "Hungarian": ("Budapesten lakom, és egy banknál dolgozom.",),
    "Indonesian": ("Saya tinggal di Bandung dan bekerja di Gojek.",),
    "Italian": ("Abito a Roma da due anni.", "Sono allergica alle noci."),
    "Japanese": ("私はリスボンに住んでいます。", "東京で働いています"),
    "Korean": ("저는 서울에 살아요.", "여동생이 부산으로 이사했어요."),
    "Persian": ("من در تهران زندگی می کنم",),
    "Polish": ("Mieszkam w Krakowie.", "Moja siostra przeprowadziła się do Gdańska."),
    "Portuguese": ("Moro em Lisboa.", "A minha irmã mudou para o Porto."),
    "Romanian": ("Locuiesc în Cluj și lucrez la Bosch.",),
    "Russian": ("Я живу в Москве.", "Работаю в банке с марта."),
    "Spanish": ("Vivo en Madrid desde 2019.", "Soy alérgica a los cacahuetes.", "No me gusta el café."),
    "Swedish": ("Jag bor i Malmö.", "Min syster jobbar på Volvo."),
    "Thai": ("ฉันอาศัยอยู่ในกรุงเทพ",),
    "Turkish": ("Ankara'da yaşıyorum ve bir bankada çalışıyorum.",),
    "Vietnamese": ("Tôi sống ở Hà Nội và làm việc cho FPT.",),
}
NOT_FOREIGN = (
    *(
        "ok",
        "Zoë",
        "Zoë Müller",
        "김민수",
        "Владимир Путин",
        "東京",
        "Lol",
        "hm",
        "Ja",
        "No",
        "¡Hola!",
        "Danke!",
        "la la la",
        "👍",
    ),
    *(
        "Marie de la Cruz",
        "Ludwig van Beethoven",
        "Ana y Luis",
        "Rio de Janeiro",
        "Real Madrid 3 - 1 Atlético de Madrid",
    ),
    "My name is 김민수 and I live in Seoul.",
    "We had a déjà vu at the Café de la Paix with Jean du Pont.",
    "Attendees: Marie de la Cruz, Jean du Pont, Ludwig van Beethoven, Otto von der Heide",
    "She leads the Centre d'entreprises et d'innovation de Montréal.",
    'She said "je ne sais pas" and left.',
    "I had spaghetti alla carbonara e tiramisù.",
    "nuts, eggs, gluten",
    "Rua das Flores 42, 4050-262 Porto",
    "anna@sie.und.de wrote https://www.example.de/das/ist/die/seite",
    "print(f'la {os.le.un} {e}')",
    '<link href="/le/la/les.css" rel="et">',
)


def languages(text: str) -> list[str]:
    return list(unread(foreign_spans(text)))


def test_a_language_is_known_by_its_small_words_or_its_script(subtests: pytest.Subtests) -> None:
    for language, texts in FOREIGN.items():
        for text in texts:
            with subtests.test(text=text):
                assert languages(text) == [language]


def test_names_short_texts_addresses_and_programs_are_in_no_other_language(subtests: pytest.Subtests) -> None:
    for text in NOT_FOREIGN:
        with subtests.test(text=text):
            assert languages(text) == []


MIXED = "Hola, me llamo Ana y vivo en Sevilla. I work at Acme in Porto. Ok.\nMi hermana no vive aquí con nosotros."


def test_of_a_mixed_text_the_rest_is_blanked_and_counted() -> None:
    spans = foreign_spans(MIXED)
    english = without(MIXED, spans)

    assert english.split() == ["I", "work", "at", "Acme", "in", "Porto.", "Ok."]
    assert english.index("Acme") == MIXED.index("Acme")
    assert unread(spans) == {
        "Spanish": len("Hola, me llamo Ana y vivo en Sevilla.Mi hermana no vive aquí con nosotros.")
    }


@given(st.text(alphabet=st.sampled_from("Ich wohne de la. I work!\n我住在里斯本。Я живу")))
def test_what_is_in_another_language_stands_in_order_and_the_rest_stays_as_it_is(text: str) -> None:
    spans = foreign_spans(text)
    english = without(text, spans)

    assert len(english) == len(text)
    assert [(span.start, span.end) for span in spans] == sorted((span.start, span.end) for span in spans)
    kept = [i for i in range(len(text)) if not any(span.start <= i < span.end for span in spans)]
    assert all(english[i] == text[i] for i in kept)


@pytest.mark.parametrize("strategy", ["accurate", "fast"])
async def test_only_english_makes_claims_and_identifiers_are_read_everywhere(
    subtests: pytest.Subtests, strategy: str
) -> None:
    reader = OfflineExtractor(strategy)
    for texts in FOREIGN.values():
        for text in texts:
            with subtests.test(text=text):
                read = await reader.extract(_episode(f"{text} → zoe@example.com"))
                assert read.claims == ()
                assert [mention.entity.name for mention in read.mentions] == ["zoe@example.com"]


async def test_english_beside_another_language_is_read_where_it_stands() -> None:
    read = await OfflineExtractor().extract(_episode(MIXED))

    assert {claim.predicate for claim in read.claims} == {"works_at"}
    assert {MIXED[claim.quote_start : claim.quote_end] for claim in read.claims} == {"I work at Acme in Porto."}
    assert list(read.unread) == ["Spanish"]


NONE: list[str] = []
NOWHERE: set[str] = set()
OWNED = {
    "Remi: J'habite à Lyon et je travaille ici.\nOdile: I live in Porto.": (["French"], {"Porto"}),
    "[03/05/2025, 09:15] Remi: J'habite à Lyon.\n[03/05/2025, 09:16] Odile: Moi, je suis à Nantes.": (
        ["French"],
        NOWHERE,
    ),
    "I live in Porto.\n> J'habite à Lyon et je travaille ici.": (NONE, {"Porto"}),
    "Translate this: J'habite à Lyon et je travaille ici.": (NONE, NOWHERE),
    "I live in Porto. “Je ne sais pas où est ma maison,” said the king.": (NONE, {"Porto"}),
    "```\nJ'habite à Lyon et je travaille ici.\n```\nI live in Porto.": (NONE, {"Porto"}),
    "Ich wohne in Berlin. = I live in Berlin.": (["German"], NOWHERE),
    "- J'habite à Lyon et je travaille ici.\n- I live in Porto.": (["French"], {"Porto"}),
}


async def test_only_what_somebody_claims_in_another_language_is_unread(subtests: pytest.Subtests) -> None:
    reader = OfflineExtractor()
    for text, (languages_, homes) in OWNED.items():
        with subtests.test(text=text):
            read = await reader.extract(_episode(text))
            assert list(read.unread) == languages_
            assert {claim.object.name for claim in read.claims if claim.object} == homes


async def test_a_note_in_another_language_is_unread() -> None:
    note = replace(_episode("L'utilisateur habite à Lyon et il est marié."), role=EpisodeRole.ASSISTANT, speaker=None)
    read = await OfflineExtractor().extract(note)
    assert (read.claims, list(read.unread)) == ((), ["French"])


def _episode(text: str) -> Episode:
    said = datetime(2025, 5, 3, 12, tzinfo=UTC)
    return Episode(group_id="g", session="s", content=text, occurred_at=said, speaker="Ana", user="ana")
