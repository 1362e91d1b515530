"""Texts for people, in the gateway's language: looked up in Homeward's catalogue by Python's own gettext.

Without a catalogue they are English.
"""

import os
from gettext import NullTranslations, translation

LOCALES = {"zh": "zh_CN"}
# Installed, this file lies in PREFIX/lib/homeward/plugins/NAME and the catalogue in PREFIX/share/locale.
BESIDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[os.pardir] * 4, "share", "locale")
FOLDER = os.environ.get("TEXTDOMAINDIR") or BESIDE


class Text(str):
    """A text as people read it, and its English for the log."""

    def __new__(cls, shown, english):
        text = super().__new__(cls, shown)
        text.english = english
        return text


class Catalogue:
    """The texts in one language: `en` or `zh`; anything else is English."""

    def __init__(self, language):
        try:
            self.look_up = translation("homeward", FOLDER, [LOCALES[language]]).gettext
        except Exception:  # No such language, no file, one that may not be read or is damaged: the English is there.
            self.look_up = NullTranslations().gettext

    def gettext(self, msgid, /, **values):
        """A text with its values, which are put in once and never read as places themselves."""
        english = {name: getattr(value, "english", value) for name, value in values.items()}
        return Text(self.look_up(msgid).format(**values), msgid.format(**english))


gettext = Catalogue(os.environ.get("HOMEWARD_LANGUAGE")).gettext
