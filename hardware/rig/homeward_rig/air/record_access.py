"""The Record Access Control Point (0x2A52) of a glucose meter: what a request asks for, and what answers it.

- Source: Bluetooth Glucose Service 1.0.1, section 3.4; Glucose Profile 1.0.1, section 5.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from .readings import Reading, date_time


class Opcode(IntEnum):
    REPORT = 1
    DELETE = 2
    ABORT = 3
    REPORT_NUMBER = 4
    NUMBER_RESPONSE = 5
    RESPONSE = 6


class Operator(IntEnum):
    NULL = 0
    ALL = 1
    AT_MOST = 2
    AT_LEAST = 3
    RANGE = 4
    FIRST = 5
    LAST = 6


class Code(IntEnum):
    SUCCESS = 1
    OPCODE_NOT_SUPPORTED = 2
    INVALID_OPERATOR = 3
    OPERATOR_NOT_SUPPORTED = 4
    INVALID_OPERAND = 5
    NO_RECORDS = 6
    ABORT_UNSUCCESSFUL = 7
    NOT_COMPLETED = 8
    OPERAND_NOT_SUPPORTED = 9


_SEQUENCE_NUMBER = 1
_USER_FACING_TIME = 2
_OPERANDS = {Operator.AT_MOST: 1, Operator.AT_LEAST: 1, Operator.RANGE: 2}


@dataclass(frozen=True)
class Answer:
    """Readings to send, readings to delete, and the indication that ends the procedure."""

    indication: bytes
    report: tuple[Reading, ...] = ()
    delete: tuple[Reading, ...] = ()
    aborts: bool = False


class _Refused(Exception):
    def __init__(self, code: Code) -> None:
        self.code = code


def response(opcode: int, code: Code) -> bytes:
    """The indication that says how a request went."""
    return bytes([Opcode.RESPONSE, Operator.NULL, opcode, code])


def answer(request: bytes, readings: Sequence[Reading]) -> Answer:
    """What a meter that stores these readings, oldest first, answers to a request."""
    opcode = request[0] if request else 0
    operator = request[1] if len(request) > 1 else 0
    operand = request[2:]
    try:
        if opcode == Opcode.ABORT:
            if operator != Operator.NULL:
                raise _Refused(Code.INVALID_OPERATOR)
            if operand:
                raise _Refused(Code.INVALID_OPERAND)
            return Answer(response(opcode, Code.SUCCESS), aborts=True)
        if opcode not in (Opcode.REPORT, Opcode.DELETE, Opcode.REPORT_NUMBER):
            raise _Refused(Code.OPCODE_NOT_SUPPORTED)
        chosen = _chosen(operator, operand, readings)
        if opcode == Opcode.REPORT_NUMBER:
            return Answer(struct.pack("<BBH", Opcode.NUMBER_RESPONSE, Operator.NULL, len(chosen)))
        if not chosen:
            raise _Refused(Code.NO_RECORDS)
        done = response(opcode, Code.SUCCESS)
        return Answer(done, report=chosen) if opcode == Opcode.REPORT else Answer(done, delete=chosen)
    except _Refused as refusal:
        return Answer(response(opcode, refusal.code))


def _chosen(operator: int, operand: bytes, readings: Sequence[Reading]) -> tuple[Reading, ...]:
    if operator == Operator.NULL:
        raise _Refused(Code.INVALID_OPERATOR)
    if operator > Operator.LAST:
        raise _Refused(Code.OPERATOR_NOT_SUPPORTED)
    if operator not in _OPERANDS:
        if operand:
            raise _Refused(Code.INVALID_OPERAND)
        return {
            Operator.ALL: tuple(readings),
            Operator.FIRST: tuple(readings[:1]),
            Operator.LAST: tuple(readings[-1:]),
        }[Operator(operator)]
    by, limits = _limits(operand, _OPERANDS[Operator(operator)])
    low = limits[0] if operator != Operator.AT_MOST else None
    high = limits[-1] if operator != Operator.AT_LEAST else None
    if low is not None and high is not None and low > high:
        raise _Refused(Code.INVALID_OPERAND)
    return tuple(
        reading for reading in readings if (low is None or by(reading) >= low) and (high is None or by(reading) <= high)
    )


def _by_sequence(reading: Reading) -> tuple[int, ...]:
    return (reading.sequence,)


def _by_time(reading: Reading) -> tuple[int, ...]:
    return struct.unpack("<H5B", date_time(reading.user_facing_time))


def _limits(operand: bytes, count: int):
    """What to compare readings by, and the limits of the operand: `filter type, limit, limit`."""
    if not operand:
        raise _Refused(Code.INVALID_OPERAND)
    kinds = {_SEQUENCE_NUMBER: (_by_sequence, "<H"), _USER_FACING_TIME: (_by_time, "<H5B")}
    if operand[0] not in kinds:
        raise _Refused(Code.OPERAND_NOT_SUPPORTED)
    by, layout = kinds[operand[0]]
    if len(operand) != 1 + count * struct.calcsize(layout):
        raise _Refused(Code.INVALID_OPERAND)
    limits = list(struct.iter_unpack(layout, operand[1:]))
    if by is _by_time:
        for limit in limits:
            try:
                datetime(*limit)
            except ValueError:
                raise _Refused(Code.INVALID_OPERAND) from None
    return by, limits
