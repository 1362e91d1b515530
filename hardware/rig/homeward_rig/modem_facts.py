"""What the rig's modem says of itself, and the settings that it knows."""

import re

IDENTITY = {
    "+CGMI": "Homeward",
    "+GMI": "Homeward",
    "+CGMM": "Rig modem",
    "+GMM": "Rig modem",
    "+CGMR": "1.0",
    "+GMR": "1.0",
    "+CGSN": "490154203237518",
    "+GSN": "490154203237518",
    "+CIMI": "204046620000123",
    "I": "Homeward Rig modem",
}
NEEDS_NO_PIN = re.compile(r"[^+]|\+(CPIN|CMEE|CGM|GM|CGSN|GSN|CFUN|CSCS|CREG|CGREG|CEREG|CSQ|GCAP|CLAC|CPAS)")

# What a test command (=?) gives: the parameters that are understood.
RANGES = {
    "+CMGF": "(0,1)",
    "+CSMS": "(0,1)",
    "+CNMI": "(0-2),(0-2),(0),(0-2),(0,1)",
    "+CMEE": "(0-2)",
    "+CSCS": '("GSM","IRA","UCS2")',
    "+CPMS": '("SM"),("SM"),("SM")',
    "+CREG": "(0-2)",
    "+CGREG": "(0-2)",
    "+CEREG": "(0-2)",
    "+CFUN": "(0,1,4),(0,1)",
    "+CMGL": "(0-4)",
    "+CSDH": "(0,1)",
    "+CLIP": "(0,1)",
    "+CRC": "(0,1)",
    "+CMGD": "(1-20),(0-4)",
    "+COPS": '(2,"Rig","Rig","20404",7),,(0,1,3),(0,2)',
}
# Settings that are kept and told again, and change nothing else here; with what they are at the start.
KEPT = {"+CSDH": "0", "+CLIP": "0", "+CRC": "0", "+CVHU": "0", "+CTZU": "0", "+CTZR": "0", "+CFUN": "1"}
