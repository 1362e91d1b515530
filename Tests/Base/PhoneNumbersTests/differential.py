"""Prints what Google's libphonenumber, in its Python port, makes of telephone numbers, for comparison.

One line a number: country, text, E.164 or "-", and how the library understood it. Fields are parted by tabs.
"""

import random
import sys

import phonenumbers
from phonenumbers import CountryCodeSource, NumberParseException, PhoneNumberFormat, PhoneNumberType, ValidationResult

KINDS = (PhoneNumberType.FIXED_LINE, PhoneNumberType.MOBILE)
SOURCES = {
    CountryCodeSource.FROM_NUMBER_WITH_PLUS_SIGN: "plus",
    CountryCodeSource.FROM_NUMBER_WITH_IDD: "prefix",
    CountryCodeSource.FROM_NUMBER_WITHOUT_PLUS_SIGN: "guessed",
    CountryCodeSource.FROM_DEFAULT_COUNTRY: "national",
}


def judge(text, region):
    """The number in E.164 when a person's telephone may have it by its length, and how it was understood."""
    try:
        number = phonenumbers.parse(text, region, keep_raw_input=True)
    except NumberParseException as fault:
        return "-", f"unreadable{fault.error_type}"
    source = SOURCES[number.country_code_source]
    reasons = [phonenumbers.is_possible_number_for_type_with_reason(number, kind) for kind in KINDS]
    if ValidationResult.IS_POSSIBLE not in reasons:
        return "-", source
    return phonenumbers.format_number(number, PhoneNumberFormat.E164), source


def decorated(digits, numbers):
    """The digits with what people put between them."""
    text = ""
    for index, digit in enumerate(digits):
        if index and numbers.random() < 0.25:
            text += numbers.choice((" ", "-", ".", "/", " - ", "\u00a0"))
        text += digit
    return text


def written(region, numbers):
    """Numbers of a country in the ways in which they are written, and chance ones."""
    for kind in KINDS:
        example = phonenumbers.example_number_for_type(region, kind)
        if example is None:
            continue
        for style in (PhoneNumberFormat.E164, PhoneNumberFormat.INTERNATIONAL, PhoneNumberFormat.NATIONAL):
            yield region, phonenumbers.format_number(example, style)
        for elsewhere in ("NO", "US", "CN", "AU", "JP", "RU"):
            yield elsewhere, phonenumbers.format_out_of_country_calling_number(example, elsewhere)
        national = phonenumbers.national_significant_number(example)
        yield region, decorated(national, numbers)
    code = str(phonenumbers.country_code_for_region(region))
    for _ in range(30):
        length = numbers.randrange(4, 14)
        digits = "".join(numbers.choice("0123456789") for _ in range(length))
        yield region, decorated(digits, numbers)
        yield region, "+" + decorated(code + digits, numbers)
        yield region, "0" + decorated(digits, numbers)


def main():
    numbers = random.Random(int(sys.argv[1]))
    for region in sorted(phonenumbers.SUPPORTED_REGIONS):
        for country, text in written(region, numbers):
            print(country, text, *judge(text, country), sep="\t")


main()
