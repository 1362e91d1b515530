"""Fetches a calendar: a file by its address, or a CalDAV collection. Over checked TLS, bounded in size and time."""

import re
import xml.etree.ElementTree as ElementTree

import requests
from contentlines import MAXIMUM_BYTES, CalendarFault
from texts import gettext
from web import TooLarge, TooSlow, explained, retry_after, secure_session

WHOLE_SECONDS = 180
AGENT = "homeward-calendar/1.0"


class FetchFault(Exception):
    """Why nothing could be fetched: a code, a sentence, and when to try again if the server said so."""

    def __init__(self, code, message, after_seconds=None):
        super().__init__(message)
        self.code = code
        self.message = message
        self.after_seconds = after_seconds


class Source:
    """One calendar's address."""

    def __init__(self, url, is_caldav, user, password, ca_file):
        self.url = re.sub(r"^webcals?://", "https://", url, flags=re.IGNORECASE)
        self.is_caldav = is_caldav
        self.auth = (user.encode(), password.encode()) if user else None
        self.ca_file = ca_file

    def fetch(self, validators):
        """The calendar's bytes and the validators of this version; no bytes when it is still the same."""
        try:
            return self.fetch_collection(validators) if self.is_caldav else self.fetch_file(validators)
        except TooLarge:
            raise FetchFault(
                "too-large",
                gettext("the calendar is larger than {limit} MiB; share a smaller one", limit=MAXIMUM_BYTES >> 20),
            ) from None
        except TooSlow:
            raise FetchFault("too-slow", gettext("the server takes too long to send the calendar")) from None
        except requests.exceptions.RequestException as error:
            raise FetchFault(*explained(error)) from None

    def session(self):
        return secure_session(AGENT, self.ca_file, MAXIMUM_BYTES, WHOLE_SECONDS)

    def fetch_file(self, validators):
        with self.session() as session:
            headers = {"Accept": "text/calendar, */*;q=0.1"}
            for header, name in (("If-None-Match", "etag"), ("If-Modified-Since", "modified")):
                if validators.get(name):
                    headers[header] = validators[name]
            response = session.get(self.url, headers=headers, auth=self.auth)
            if response.status_code == 304:
                return None, validators
            check(response.status_code, response.headers)
            fresh = {"etag": response.headers.get("ETag", ""), "modified": response.headers.get("Last-Modified", "")}
            return response.content, {name: text[:1000] for name, text in fresh.items()}

    def fetch_collection(self, validators):
        with self.session() as session:
            headers = {"Depth": "1", "Content-Type": "application/xml; charset=utf-8"}
            response = session.request("REPORT", self.url, data=QUERY.encode(), headers=headers, auth=self.auth)
            check(response.status_code, response.headers)
            if response.status_code != 207:
                raise not_caldav()
            return collection(response.content), validators


QUERY = """<?xml version="1.0" encoding="utf-8"?>
<C:calendar-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">
  <D:prop><C:calendar-data/></D:prop>
  <C:filter><C:comp-filter name="VCALENDAR"/></C:filter>
</C:calendar-query>"""


def not_caldav():
    return CalendarFault("not-a-calendar", gettext("the address is no CalDAV calendar; use the calendar's own address"))


def check(status, headers):
    """Refuses every answer but success."""
    if status in (401, 403):
        raise FetchFault(
            "unauthorised",
            gettext("the server refuses us; check user name and password, or whether the calendar is still shared"),
        )
    if status in (404, 410):
        raise FetchFault(
            "missing",
            gettext("there is no calendar at this address any more; ask who shares it for the new one"),
        )
    if not 200 <= status < 300:
        raise FetchFault("answer", gettext("the server answers {status}", status=status), retry_after(headers))


def collection(body):
    """The calendars of a CalDAV answer, one after the other in the order of their addresses."""
    # A document type is where entities are defined that grow without end.
    if b"<!DOCTYPE" in body:
        raise CalendarFault("not-a-calendar", gettext("the server sent a web page and no calendar; check the address"))
    try:
        tree = ElementTree.fromstring(body)
    except (ElementTree.ParseError, ValueError, LookupError):
        raise CalendarFault(
            "truncated", gettext("the server's answer is cut off or broken; it is fetched again")
        ) from None
    found = []
    for response in tree.iter("{DAV:}response"):
        text = (response.findtext(".//{urn:ietf:params:xml:ns:caldav}calendar-data") or "").strip()
        if text:
            found.append((response.findtext("{DAV:}href") or "", text))
    if tree.tag != "{DAV:}multistatus":
        raise not_caldav()
    if not found:
        return b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
    return ("\r\n".join(text for _, text in sorted(found)) + "\r\n").encode()
