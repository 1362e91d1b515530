"""Which ways of a map people on foot are sent along."""

FAST = {"motorway", "motorway_link", "trunk", "trunk_link"}
ALLOWED = {"yes", "designated", "permissive"}


def is_for_walkers(tags):
    """Whether a way may be part of a way on foot: expressways only where the map says that people walk there.

    Source: wiki.openstreetmap.org/wiki/Key:highway and Key:motorroad. Valhalla sends people along a trunk road.
    """
    if tags.get("highway") not in FAST and tags.get("motorroad") != "yes":
        return True
    sidewalks = [tags.get(key) for key in ("sidewalk", "sidewalk:both", "sidewalk:left", "sidewalk:right")]
    return tags.get("foot") in ALLOWED or any(each in {"yes", "both", "left", "right"} for each in sidewalks)
