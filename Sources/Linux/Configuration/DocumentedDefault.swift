extension GatewayConfiguration {
  /// The commented file that is installed as `/etc/homeward/homeward.yaml`: every key, with its default.
  public static let documentedDefault = """
    # Configuration of the Homeward gateway.
    #
    # Every key stands here with its default; delete what you do not change. After a change:
    #   homeward doctor                      says whether the file is right
    #   systemctl restart homeward           takes it over
    # An environment variable goes before the file: HOMEWARD_STORE_BACKUPS_KEPT=20 for store.backupsKept.
    # People, safe zones, bookmarks and their settings are not here: see homeward residents, zones, bookmarks, settings.

    gateway:
      # The gateway's name towards backends: letters, digits, "-", "." and "_". Change it before the first event only.
      name: homeward
      # Database, backups and the plugins' own files.
      state: /var/lib/homeward
      # The control socket, control.sock.
      runtime: /run/homeward
      # Time zone in which the command line shows times, such as Europe/Oslo; empty for the machine's own.
      timeZone:
      # Where browsers find the pages of the plugin console, such as https://home.example.org:8474; empty where nobody outside
      # does. Guardians then get a link with an alarm: where the person is, live, and "I'm coming", until it is over.
      pages:
      # Who may make an account on the pages: anybody who reaches them (and sees nobody before being linked), invited with a code
      # of homeward accounts invite, or nobody: homeward accounts add makes one then.
      signUp: anybody
      # Language of health, faults and the log: en or zh. Residents have a setting of their own: homeward settings.
      language: en

    # GPS receivers, by way of gpsd; none with []. A resident is tied to a receiver by its name. A compass of this machine
    # (magnetometer and accelerometer of the kernel's IIO) is used by itself, and moves with the first receiver here.
    gps:
      - name: gps
        # Numeric address and port of gpsd.
        host: 127.0.0.1
        port: 2947
        # The device as gpsd names it, such as /dev/ttyACM0; empty for all of them.
        device:
        # continuous: every report. economy: a position every intervalSeconds, and more often when in doubt.
        sampling: continuous
        intervalSeconds: 60
        # Seconds without any report before the receiver counts as failed, 5 to 3600.
        noReportSeconds: 30

    # Buttons. Holding any of them for holdSeconds is an SOS, always. An entry:
    #
    #   - name: sos
    #     # A contact on a GPIO line: the chip's label, name or path, empty for any chip that has a line of this name;
    #     # the line's number or name, as gpioinfo shows them. bias: as-is, disabled, pull-up or pull-down.
    #     gpio: {chip: pinctrl-bcm2711, line: GPIO17, activeLow: true, bias: pull-up}
    #     # Or keys of an input device: its path or its name; keys as evtest shows them, all of them with [].
    #     # input: {device: /dev/homeward/button-pcsensor, keys: [KEY_ENTER]}
    #     # Or a button that sends BTHome advertisements: its address, with /random behind one that it drew, and its key
    #     # where it encrypts. Its own long press is the hold.
    #     # bluetooth: {address: "A4:C1:38:8D:18:B2", key: }
    #     # Seconds of a hold, 2 to 5.
    #     holdSeconds: 3
    #     # Whose button it is: the id of a resident, empty for the only one; or of a guardian who lives in the house.
    #     resident:
    #     caregiver:
    #     # What presses bring about: sos, fake-call, assist, acknowledge, take-home, photograph or none. assist silences what
    #     # sounds, answers what asks, or says the time and what comes next.
    #     press: assist
    #     double: fake-call
    #     triple: photograph
    buttons: []

    # A lamp that shows how far an alarm has come: a GPIO line, or a light of /sys/class/leds. An empty line is none.
    lamp:
      gpio:
        chip:
        line:
        activeLow: false
        bias: as-is
      led:
      # Sounds in an emergency when no sound card does.
      buzzer:
        chip:
        line:
        activeLow: false
        bias: as-is

    bluetooth:
      # none, bluez (through bluetoothd: tags, buttons and glucose meters) or hci (by homeward-hci, without bluetoothd: tags
      # and buttons).
      source: none
      # Adapters to use, such as hci0; all of them with [].
      adapters: []
      # Where homeward-hci listens.
      hciSocket: /run/homeward-hci/hci.sock
      # The room in which this gateway stands; empty where it moves with the resident.
      room:
      # Other rooms whose devices tell over MQTT what they hear, by their names; see the plugin mqtt, "rooms".
      rooms: []
      # Decibels that are added to what it hears, -30 to 30, for an antenna that differs from others.
      offsetDB: 0

    tracking:
      # Defaults of tracking settings for all residents; "homeward settings --help" lists names and ranges.
      defaults: {}

    clock:
      # automatic: scheduled things wait until network time, a hardware clock or satellites vouch for the clock.
      # system: the system clock is always believed.
      trust: automatic

    store:
      # Hours between backups, 1 to 168; 0 for none.
      backupEveryHours: 6
      # Backups kept, 1 to 1000.
      backupsKept: 28
      # Megabytes free below which raw traces are thinned and a fault is raised.
      minimumFreeMegabytes: 200
      # Days that things are kept, 1 to 36500; 0 for ever.
      retention:
        # Raw fixes, by whole months.
        trackDays: 30
        # The five-minute series of positions, which reports are made from.
        seriesDays: 3650
        # Location records: where somebody was when something happened ("homeward history").
        locationDays: 3650
        # Events, and what plugins refused of them.
        alarmDays: 730
        # Who changed what.
        auditDays: 730
        # Recorded inputs, for "homeward replay journal".
        inputDays: 7

    plugins:
      # Folders whose subfolders are plugins, searched in this order.
      directories:
        - /usr/lib/homeward/plugins
        - /usr/local/lib/homeward/plugins
      # Plugins that run; "homeward plugins" shows how they do. An entry:
      #
      #   - name: mqtt
      #     # What the plugin may do and see, out of what its manifest asks for (plugin.json, "grants"). Without "contacts",
      #     # "health", "messages", "notes", "places" or "position.precise" events reach it without what is of that kind.
      #     grants: [network, contacts, health, places]
      #     # Paths that it may read beside its own folder, such as certificates.
      #     readPaths: [/etc/ssl/certs]
      #     # Device files that it may read, write and control, such as a modem's serial port.
      #     devicePaths: [/dev/serial/by-id/usb-modem-if02]
      #     # Ports of this machine that it may reach besides those that its manifest names, such as a server of your own.
      #     # Others of this machine are closed to it.
      #     loopback: [8123]
      #     # Limit of its memory, 16 to 65536.
      #     memoryMegabytes: 256
      #     # Its own settings; see its README. Secrets stay out of this file: {file: /path} reads a file that only
      #     # root can read, {credential: name} a systemd credential.
      #     settings:
      #       host: broker.example.org
      #       password: {file: /etc/homeward/mqtt.password}
      enabled: []

    heartbeat:
      # Minutes between signs of life, 1 to 1440; 0 for none. The far side notices when one is missing.
      everyMinutes: 5

    sound:
      # false: nothing sounds in this room. Alarms then depend on lamp, buzzer and guardians.
      enabled: true
      # The playback device; "aplay -L" lists the names. A card's own name stays the same when cards are added:
      # plughw:CARD=Headphones
      device: default
      # The card whose volume is set, such as hw:CARD=Headphones; empty for that of the device.
      mixerCard:
      # What "amixer" calls its volumes; those that the card has are raised before an alarm and put back after it.
      mixerElements: [Master, PCM, Speaker, Headphone]
      # How far they are raised, in percent, 10 to 100. 85 dBA at one metre is loud enough.
      emergencyLevelPercent: 90
      # A quiet tone at start shows that the speaker is there.
      selfTest: true

    log:
      # error, warning, info or debug.
      level: info

    """
}
