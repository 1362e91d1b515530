"""All attacks; importing this enrols them."""

from . import (  # noqa: F401
    clock,
    commands,
    confinement,
    database,
    deafness,
    disarming,
    kills,
    limits,
    privacy,
    programs,
    reach,
    readers,
    sources,
)
