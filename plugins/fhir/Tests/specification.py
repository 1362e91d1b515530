"""Judges FHIR resources from standard input, one a line, by two models of the specification from PyPI.

fhirclient 4 is made from the definitions of FHIR 4.0.1 and knows every element, its type and how often it may stand;
fhir.resources is made from R4B by other people. Runs with the rig's Python, which has both: hardware/rig/python.
"""

import json
import re
import sys

from fhir.resources.R4B.observation import Observation as Other
from fhirclient.models.fhirabstractbase import FHIRValidationError
from fhirclient.models.observation import Observation

# FHIR 4.0.1, primitive types and the required binding of Observation.status.
DATE_TIME = re.compile(
    r"([0-9]([0-9]([0-9][1-9]|[1-9]0)|[1-9]00)|[1-9]000)(-(0[1-9]|1[0-2])(-(0[1-9]|[1-2][0-9]|3[0-1])"
    r"(T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?(Z|(\+|-)((0[0-9]|1[0-3]):[0-5][0-9]|14:00)))?)?)?"
)
STATUS = ("registered", "preliminary", "final", "amended", "corrected", "cancelled", "entered-in-error", "unknown")


def faults(text):
    """What is wrong with a resource; empty when nothing is."""
    found = []
    resource = json.loads(text)
    try:
        Observation(resource, strict=True)
    except FHIRValidationError as error:
        found.append(f"fhirclient: {error}")
    try:
        Other.model_validate_json(text)
    except ValueError as error:
        found.append(f"fhir.resources: {error}")
    if resource.get("status") not in STATUS:
        found.append("status")
    if "effectiveDateTime" in resource and not DATE_TIME.fullmatch(resource["effectiveDateTime"]):
        found.append("effectiveDateTime")
    # obs-6: a reason for absence stands only where there is no value.
    if "dataAbsentReason" in resource and "valueQuantity" in resource:
        found.append("obs-6")
    return found


for line in sys.stdin:
    print(json.dumps(faults(line)))
