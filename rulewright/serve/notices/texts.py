"""What notices and the page that ends them say, in the languages of the page."""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.bundling.messages import FALLBACK


@dataclass(frozen=True, slots=True)
class NoticeTexts:
    """The sentences of one language; `{title}` is the name of the game, `{kind}` mail or webhook."""

    subject: str
    turn: str
    no_more: str
    heading: str
    about: str
    button: str
    done: str


TEXTS = {
    "en": NoticeTexts(
        subject="Your turn: {title}",
        turn="It is your turn in {title}:",
        no_more="No more such mails for this match:",
        heading="Notices",
        about="Notices of your turn by {kind}, for one match.",
        button="No more notices",
        done="There will be no more notices for this match.",
    ),
    "hu": NoticeTexts(
        subject="Te jössz: {title}",
        turn="Te jössz ebben a játszmában: {title}:",
        no_more="Ne jöjjön több ilyen levél erről a játszmáról:",
        heading="Értesítések",
        about="Értesítések arról, hogy te jössz, egy játszmában ({kind}).",
        button="Ne jöjjön több értesítés",
        done="Erről a játszmáról nem jön több értesítés.",
    ),
    "ro": NoticeTexts(
        subject="Este rândul tău: {title}",
        turn="Este rândul tău la {title}:",
        no_more="Fără alte mesaje pentru această partidă:",
        heading="Înștiințări",
        about="Înștiințări că este rândul tău, pentru o partidă ({kind}).",
        button="Fără alte înștiințări",
        done="Pentru această partidă nu vor mai veni înștiințări.",
    ),
}


def texts_in(language: str) -> NoticeTexts:
    """The texts of a language, or those of the fallback."""
    return TEXTS.get(language, TEXTS[FALLBACK])
