"""The language of modems: command lines, parameters and result codes of ITU-T V.250 and 3GPP TS 27.005 and 27.007."""

import re
from datetime import datetime

CMS_WORDS = {
    38: "network out of order",
    304: "invalid PDU mode parameter",
    305: "invalid text mode parameter",
    310: "SIM not inserted",
    311: "SIM PIN required",
    321: "invalid memory index",
    322: "memory full",
    331: "no network service",
    500: "unknown error",
}
CME_WORDS = {
    3: "operation not allowed",
    4: "operation not supported",
    10: "SIM not inserted",
    11: "SIM PIN required",
    16: "incorrect password",
    30: "no network service",
    50: "incorrect parameters",
    100: "unknown error",
}


class Failed(Exception):
    """A command ends with an error; `family` is CME or CMS."""

    def __init__(self, family: str, code: int) -> None:
        super().__init__(f"{family} {code}")
        self.family, self.code = family, code

    def told(self, errors_in: int) -> str:
        """The result code in the form that +CMEE asks for: 0 none, 1 numbers, 2 words."""
        if errors_in == 0 and self.family == "CME":
            return "ERROR"
        words = (CMS_WORDS if self.family == "CMS" else CME_WORDS).get(self.code, "unknown error")
        return f"+{self.family} ERROR: {words if errors_in == 2 else self.code}"


def split_line(line: str) -> list[str]:
    """The commands of one line: ATE0+CMEE=1;+CMGF=0."""
    pieces = re.findall(r'(?:"[^"]*"|[^;"])+', line) or [""]
    commands: list[str] = []
    if re.match(r"D", line, re.IGNORECASE):
        # Dialling takes the rest of the line; the semicolon behind the number asks for voice.
        return [line]
    for piece in map(str.strip, pieces):
        while basic := re.match(r"([EVQXZ]\d?|&\w\d?)(?!\d)(?=.)", piece, re.IGNORECASE):
            commands.append(basic[0])
            piece = piece[basic.end() :]
        commands.append(piece)
    return commands


def parameters(text: str) -> list[str]:
    """Parameters without their quotes."""
    return [value.strip().strip('"') for value in text.split(",")] if text else []


def number_in(
    values: list[str], place: int, lowest: int = 0, highest: int = 2**31, failure: Failed | None = None
) -> int:
    """A numeric parameter; `failure` when it lacks or is out of range."""
    try:
        if lowest <= (number := int(values[place])) <= highest:
            return number
    except (IndexError, ValueError):
        pass
    raise failure or Failed("CME", 50)


def clock(moment: datetime) -> str:
    return moment.strftime("%y/%m/%d,%H:%M:%S") + "+00"
