"""What the two kinds of server answer, as places; every word of it comes from a stranger.

- Sources: Nominatim 4, "Search" and "Reverse", format jsonv2; Photon 0.6, README, "Search API" and "Reverse geocode".
"""

import math

MOST_CHARACTERS = 300
# What stands for a town, the most exact first.
TOWNS = ("city", "town", "village", "municipality", "hamlet", "suburb")


def text(value):
    """A text of an answer on one line and not longer than people read; empty for anything else."""
    if not isinstance(value, str):
        return ""
    printable = "".join(each if each.isprintable() else " " for each in value[: 4 * MOST_CHARACTERS])
    return " ".join(printable.split())[:MOST_CHARACTERS]


def degrees(value, limit):
    """Degrees of an answer, as a number or its text; None for what cannot be degrees."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        return None
    return found if math.isfinite(found) and abs(found) <= limit and not isinstance(value, bool) else None


def place(latitude, longitude, kind, **parts):
    """One place as the service tells it; None for one without a position or a name."""
    latitude, longitude = degrees(latitude, 90), degrees(longitude, 180)
    parts = {name: text(value) for name, value in parts.items()}
    house = " ".join(filter(None, (parts["street"], parts["number"])))
    town = " ".join(filter(None, (parts["postcode"], parts["city"])))
    address = ", ".join(filter(None, (house, town)))
    name = parts["name"] or house or town
    if latitude is None or longitude is None or not name:
        return None
    if kind in ("building", "house", "place") and parts["number"]:
        kind = "address"
    elif kind == "highway":
        kind = "street"
    found = {"name": name, "address": address, "latitude": latitude, "longitude": longitude, "kind": text(kind)}
    if parts["detail"] and kind not in ("address", "street"):
        found["detail"] = parts["detail"]
    return found


class Nominatim:
    """Nominatim's questions and answers."""

    @staticmethod
    def search(words, near, limit):
        query = {"q": words, "format": "jsonv2", "addressdetails": "1", "limit": str(limit)}
        if near:
            south, west, north, east = near[0] - 0.2, near[1] - 0.3, near[0] + 0.2, near[1] + 0.3
            query["viewbox"] = f"{west:.2f},{north:.2f},{east:.2f},{south:.2f}"
        return "/search", query

    @staticmethod
    def reverse(latitude, longitude):
        return "/reverse", {
            "lat": f"{latitude:.5f}", "lon": f"{longitude:.5f}", "format": "jsonv2", "addressdetails": "1",
            "zoom": "18",
        }  # fmt: skip

    @staticmethod
    def places(answer):
        """The places of an answer; None for what is no answer of Nominatim."""
        if isinstance(answer, dict):
            if "lat" not in answer:
                return [] if "error" in answer else None
            answer = [answer]
        if not isinstance(answer, list):
            return None
        return [found for found in map(Nominatim._place, answer) if found]

    @staticmethod
    def _place(entry):
        if not isinstance(entry, dict):
            return None
        address = entry.get("address") if isinstance(entry.get("address"), dict) else {}
        city = next((address[kind] for kind in TOWNS if text(address.get(kind))), "")
        return place(
            entry.get("lat"), entry.get("lon"), entry.get("category"), detail=entry.get("type"),
            name=entry.get("name"), street=address.get("road"), number=address.get("house_number"),
            postcode=address.get("postcode"), city=city,
        )  # fmt: skip


class Photon:
    """Photon's questions and answers."""

    @staticmethod
    def search(words, near, limit):
        query = {"q": words, "limit": str(limit)}
        if near:
            query |= {"lat": f"{near[0]:.2f}", "lon": f"{near[1]:.2f}"}
        return "/api", query

    @staticmethod
    def reverse(latitude, longitude):
        return "/reverse", {"lat": f"{latitude:.5f}", "lon": f"{longitude:.5f}"}

    @staticmethod
    def places(answer):
        """The places of an answer; None for what is no answer of Photon."""
        features = answer.get("features") if isinstance(answer, dict) else None
        if not isinstance(features, list):
            return None
        return [found for found in map(Photon._place, features) if found]

    @staticmethod
    def _place(feature):
        if not isinstance(feature, dict):
            return None
        parts, geometry = feature.get("properties"), feature.get("geometry")
        if not isinstance(parts, dict) or not isinstance(geometry, dict):
            return None
        ends = geometry.get("coordinates")
        if not isinstance(ends, list) or len(ends) < 2:
            return None
        city = next((parts[kind] for kind in TOWNS if text(parts.get(kind))), "")
        street = parts.get("street") or (parts.get("name") if parts.get("osm_key") == "highway" else "")
        return place(
            ends[1], ends[0], parts.get("osm_key"), detail=parts.get("osm_value"), name=parts.get("name"),
            street=street, number=parts.get("housenumber"), postcode=parts.get("postcode"), city=city,
        )  # fmt: skip


KINDS = {"nominatim": Nominatim, "photon": Photon}
