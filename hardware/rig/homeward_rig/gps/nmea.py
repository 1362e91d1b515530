"""A receiver that speaks NMEA 0183 and nothing else, and listens to nobody.

Source: NMEA 0183, version 3.01; order of sentences as of common receivers.
"""

from collections.abc import Collection

from pynmeagps import GET, NMEAMessage

from .epoch import SATELLITES, Epoch

# gpsd reckons 4.75 m of error for each unit of dilution when a fix is corrected (SBAS), from no other sentence.
# Source: gpsd 3.22, libgpsd_core.c, P_UERE_WITH_DGPS.
METERS_PER_DILUTION = 4.75


KINDS = ("RMC", "GGA", "GSA", "GST", "GSV")


class NMEAReceiver:
    """Sentences of a receiver."""

    def listen(self, data: bytes) -> bytes:
        """Nothing is answered: gpsd asks many receivers for their kind, and this one has no words for it."""
        return b""

    def tell(self, epoch: Epoch, kinds: Collection[str] = KINDS) -> bytes:
        """The sentences of one second, of these kinds."""
        sentences = self._fix(epoch) if epoch.has_fix else self._no_fix(epoch)
        return b"".join(sentence.serialize() for sentence in sentences if sentence.msgID in kinds)

    def _fix(self, epoch: Epoch) -> list[NMEAMessage]:
        time = epoch.time.time()
        place = {"lat": epoch.latitude, "lon": epoch.longitude}
        dilution = round(epoch.accuracy / METERS_PER_DILUTION, 2)
        axis = round(epoch.accuracy / 2**0.5, 1)
        used = {f"svid_{number:02}": "" for number in range(1, 13)}
        used |= {f"svid_{number:02}": satellite.number for number, satellite in enumerate(SATELLITES, 1)}
        return [
            NMEAMessage(
                "GP",
                "RMC",
                GET,
                time=time,
                status="A",
                **place,
                spd=round(epoch.speed * 3600 / 1852, 3),
                cog=round(epoch.course, 2),
                date=epoch.time.date(),
                mv="",
                mvEW="",
                posMode="D",
            ),
            NMEAMessage(
                "GP",
                "GGA",
                GET,
                time=time,
                **place,
                quality=2,
                numSV=len(SATELLITES),
                HDOP=dilution,
                alt=12.0,
                altUnit="M",
                sep=0.0,
                sepUnit="M",
                diffAge="",
                diffStation="",
            ),
            NMEAMessage(
                "GP",
                "GSA",
                GET,
                opMode="A",
                navMode=3,
                **used,
                PDOP=round(dilution * 1.6, 2),
                HDOP=dilution,
                VDOP=round(dilution * 1.25, 2),
            ),
            NMEAMessage(
                "GP",
                "GST",
                GET,
                time=time,
                rangeRms=2.1,
                stdMajor=axis,
                stdMinor=axis,
                orient=0.0,
                stdLat=axis,
                stdLong=axis,
                stdAlt=round(axis * 1.8, 1),
            ),
            *self._in_view(),
        ]

    def _no_fix(self, epoch: Epoch) -> list[NMEAMessage]:
        time, date = f"{epoch.time:%H%M%S}.00", f"{epoch.time:%d%m%y}"
        return [
            NMEAMessage("GP", "RMC", GET, payload=[time, "V", "", "", "", "", "", "", date, "", "", "N"]),
            NMEAMessage("GP", "GGA", GET, payload=[time, "", "", "", "", "0", "00", "99.99", *[""] * 6]),
            NMEAMessage("GP", "GSA", GET, payload=["A", "1", *[""] * 12, "99.99", "99.99", "99.99"]),
            NMEAMessage("GP", "GSV", GET, payload=["1", "1", "00"]),
        ]

    def _in_view(self) -> list[NMEAMessage]:
        groups = [SATELLITES[start : start + 4] for start in range(0, len(SATELLITES), 4)]
        return [
            NMEAMessage(
                "GP",
                "GSV",
                GET,
                payload=[
                    str(len(groups)),
                    str(number),
                    f"{len(SATELLITES):02}",
                    *(
                        text
                        for satellite in group
                        for text in (
                            f"{satellite.number:02}",
                            f"{satellite.elevation:02}",
                            f"{satellite.azimuth:03}",
                            f"{satellite.signal:02}",
                        )
                    ),
                ],
            )
            for number, group in enumerate(groups, 1)
        ]
