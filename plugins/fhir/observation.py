"""A reading as an Observation of FHIR R4.

- Source: FHIR 4.0.1, Observation and Reference; LOINC; HL7 Continuous Glucose Monitoring 1.0.0 for sensor readings.
"""

from texts import gettext

READINGS = "urn:homeward:glucose-reading"
RESIDENTS = "urn:homeward:resident"
LOINC = "http://loinc.org"
UCUM = "http://unitsofmeasure.org"
CATEGORY = "http://terminology.hl7.org/CodeSystem/observation-category"
ABSENT = "http://hl7.org/fhir/StructureDefinition/data-absent-reason"
CODES = {
    ("finger-stick", "mg/dL"): ("41653-7", "Glucose [Mass/volume] in Capillary blood by Glucometer"),
    ("finger-stick", "mmol/L"): ("14743-9", "Glucose [Moles/volume] in Capillary blood by Glucometer"),
    ("cgm", "mg/dL"): ("99504-3", "Glucose [Mass/volume] in Interstitial fluid"),
    ("cgm", "mmol/L"): ("105272-9", "Glucose [Moles/volume] in Interstitial fluid"),
    ("unknown", "mg/dL"): ("2339-0", "Glucose [Mass/volume] in Blood"),
    ("unknown", "mmol/L"): ("15074-8", "Glucose [Moles/volume] in Blood"),
}
# What a correction takes away when the corrected reading has it no more.
OWN = ("effectiveDateTime", "_effectiveDateTime", "device", "note")


def identifier(reading_id):
    return {"system": READINGS, "value": reading_id}


def observation(reading, status, patient):
    """The resource; `patient` is a reference such as `Patient/12`, or empty for a name of our own."""
    code, display = CODES[reading.sensor, reading.unit]
    found = {
        "resourceType": "Observation",
        "identifier": [identifier(reading.id)],
        "status": status,
        "category": [{"coding": [{"system": CATEGORY, "code": "laboratory", "display": "Laboratory"}]}],
        "code": {"coding": [{"system": LOINC, "code": code, "display": display}]},
        "subject": subject(reading.resident, patient),
        "valueQuantity": {"value": reading.level, "unit": reading.unit, "system": UCUM, "code": reading.unit},
    }
    when = reading.time.isoformat(timespec="milliseconds" if reading.time.microsecond else "seconds")
    notes = [reading.tag] if reading.tag else []
    if reading.doubt:
        # A time that may be wrong stands in words only: no program takes it for the time.
        found["_effectiveDateTime"] = {"extension": [{"url": ABSENT, "valueCode": "unknown"}]}
        notes.append(gettext("Time uncertain: {time}, {doubt}", time=when, doubt=reading.doubt))
    else:
        found["effectiveDateTime"] = when
    if reading.meter:
        found["device"] = {"display": reading.meter}
        if reading.serial:
            found["device"]["identifier"] = {"value": reading.serial}
    if notes:
        found["note"] = [{"text": str(note)} for note in notes]
    return found


def subject(resident, patient):
    return {"reference": patient} if patient else {"identifier": {"system": RESIDENTS, "value": resident}}


def corrected(stored, fresh):
    """What the server holds, with the corrected reading in place of the old one."""
    return {name: value for name, value in stored.items() if name not in OWN} | fresh


def withdrawn(stored):
    """What the server holds, marked as entered in error: whoever has seen it learns that it was none."""
    return stored | {"status": "entered-in-error"}


def is_ours(resource, reading_id):
    """Whether the resource is the Observation of the reading: a search may answer with more than was asked for."""
    identifiers = resource.get("identifier") if isinstance(resource, dict) else None
    return (
        isinstance(identifiers, list)
        and resource.get("resourceType") == "Observation"
        and any(
            isinstance(one, dict) and one.get("system") == READINGS and one.get("value") == reading_id
            for one in identifiers
        )
    )
