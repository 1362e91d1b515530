public import Care
public import JSON
public import Texts

/// Everything that the owner decides about a gateway before it starts.
///
/// Residents, zones, bookmarks and settings are no part of it: they live in the store and change by commands.
public struct GatewayConfiguration: Sendable, Hashable {
  /// The gateway itself.
  public var gateway = Gateway()
  /// GPS receivers, by way of gpsd.
  public var gps: [GPSReceiver] = [GPSReceiver(name: "gps")]
  /// Buttons in the house.
  public var buttons: [Button] = []
  /// The lamp and the buzzer.
  public var lamp = Lamp()
  /// Tags, meters and buttons over Bluetooth.
  public var bluetooth = Bluetooth()
  /// Defaults of tracking settings for all residents, checked by whoever wires the engine.
  public var trackingDefaults: [TrackingDefault] = []
  /// What vouches for the clock.
  public var clock = Clock()
  /// The database and its backups.
  public var store = Store()
  /// Plugins and where to find them.
  public var plugins = Plugins()
  /// The sign of life.
  public var heartbeat = Heartbeat()
  /// The loudspeaker.
  public var sound = Sound()
  /// The log.
  public var log = Log()
  /// What stands in the file for an earlier version, and changes nothing.
  public var retired: [ConfigurationProblem] = []

  /// The defaults.
  public init() {}

  /// The gateway itself.
  public struct Gateway: Sendable, Hashable {
    /// The name towards backends: 1 through 64 letters, digits, hyphens, dots and underscores.
    public var name = "homeward"
    /// Where the database, backups and the plugins' own files live.
    public var state = "/var/lib/homeward"
    /// Where the control socket lives.
    public var runtime = "/run/homeward"
    /// IANA name of the zone in which the command line shows times; nil for the machine's own.
    public var timeZone: String?
    /// Where browsers find the pages, such as `https://home.example.org:8474`; nil where nobody outside does. Guardians get
    /// a link to it with an alarm.
    public var pages: String?
    /// Who may make an account by the pages.
    public var signUp = SignUp.anybody
    /// The language of health, faults and the log; a resident's own setting decides about what concerns them.
    public var language = Language.en

    /// Path of the control socket.
    public var controlSocket: String { "\(runtime)/control.sock" }
  }

  /// A GPS receiver that gpsd watches.
  public struct GPSReceiver: Sendable, Hashable {
    /// How often positions are taken.
    public enum Sampling: String, Sendable, Hashable, CaseIterable {
      /// Every report of the receiver.
      case continuous
      /// One position every ``GPSReceiver/intervalSeconds``, more in doubt.
      case economy
    }

    /// The source's name, which a resident is tied to.
    public var name: String
    /// Numeric address of gpsd.
    public var host = "127.0.0.1"
    /// TCP port of gpsd, 1 through 65535.
    public var port = 2947
    /// The device as gpsd names it, such as `/dev/ttyACM0`; nil for all of them.
    public var device: String?
    /// How often positions are taken.
    public var sampling = Sampling.continuous
    /// Seconds between positions in economy, 1 through 3600.
    public var intervalSeconds = 60
    /// Seconds without any report before the receiver counts as failed, 5 through 3600.
    public var noReportSeconds = 30

    /// A receiver with the default settings.
    public init(name: String) { self.name = name }
  }

  /// A default of one tracking setting.
  public struct TrackingDefault: Sendable, Hashable {
    /// The setting's name, as in `homeward settings`.
    public var name: String
    /// Its value.
    public var value: JSONValue
    /// Where it stands in the file.
    public var position: TextPosition?
  }

  /// What vouches for the clock.
  public struct Clock: Sendable, Hashable {
    /// What vouches for the clock.
    public enum Trust: String, Sendable, Hashable, CaseIterable {
      /// Network time, a plausible hardware clock or agreeing satellite fixes.
      case automatic
      /// The system clock is right, whatever it says.
      case system
    }

    /// What vouches for the clock.
    public var trust = Trust.automatic
  }

  /// The database and its backups.
  public struct Store: Sendable, Hashable {
    /// Hours between backups, 1 through 168; 0 for none.
    public var backupEveryHours = 6
    /// Backups kept, 1 through 1000.
    public var backupsKept = 28
    /// Megabytes free below which traces are thinned and a fault is raised, 10 through 1,000,000.
    public var minimumFreeMegabytes = 200
    /// How long things are kept.
    public var retention = Retention()

    /// How many days things are kept; 0 for ever, at most 36,500.
    public struct Retention: Sendable, Hashable {
      /// Raw fixes, by whole months.
      public var trackDays = 30
      /// The five-minute series of positions.
      public var seriesDays = 3650
      /// Location records: where somebody was when something happened.
      public var locationDays = 3650
      /// Events of the alarm and record lanes, and what plugins refused of them.
      public var alarmDays = 730
      /// Who changed what.
      public var auditDays = 730
      /// Inputs recorded for replay.
      public var inputDays = 7
    }
  }

  /// Plugins and where to find them.
  public struct Plugins: Sendable, Hashable {
    /// Folders whose subfolders are plugins, searched in this order.
    public var directories = ["/usr/lib/homeward/plugins", "/usr/local/lib/homeward/plugins"]
    /// Plugins that run.
    public var enabled: [Plugin] = []
  }

  /// A plugin that runs.
  public struct Plugin: Sendable, Hashable {
    /// The name of its folder and manifest.
    public var name: String
    /// What the owner allows out of what its manifest asks for.
    public var grants: [String] = []
    /// Paths that it may read beside its own.
    public var readPaths: [String] = []
    /// Device files that it may use, such as a modem's serial port.
    public var devicePaths: [String] = []
    /// Ports of this machine that it may reach besides those of its manifest, 1 through 65535.
    public var loopback: [Int] = []
    /// Limit of memory, 16 through 65,536.
    public var memoryMegabytes = 256
    /// Its settings, to be checked against its schema. `{"file": …}` and `{"credential": …}` stand for secrets.
    public var settings: JSONValue = .object([JSONMember]())
    /// Where its entry stands in the file.
    public var position: TextPosition?

    /// A plugin without grants and settings.
    public init(name: String) { self.name = name }
  }

  /// The sign of life.
  public struct Heartbeat: Sendable, Hashable {
    /// Minutes between signs of life, 1 through 1440; 0 for none.
    public var everyMinutes = 5
  }

  /// The loudspeaker.
  public struct Sound: Sendable, Hashable {
    /// Whether anything sounds in the room.
    public var isEnabled = true
    /// The playback device as alsa-lib names it, such as `plughw:CARD=Headphones`.
    public var device = "default"
    /// The card whose mixer is used, such as `hw:CARD=Headphones`; nil to take it from ``device``.
    public var mixerCard: String?
    /// Elements of the mixer that are raised before an emergency sounds, those that the card has.
    public var mixerElements = ["Master", "PCM", "Speaker", "Headphone"]
    /// Where they are put, in percent of their range, 10 through 100.
    public var emergencyLevelPercent = 90
    /// Whether a quiet tone is played at start.
    public var playsSelfTest = true
  }

  /// The log.
  public struct Log: Sendable, Hashable {
    /// The least important entry that is written.
    public enum Level: String, Sendable, Hashable, CaseIterable {
      /// What needs somebody.
      case error
      /// What may need somebody soon.
      case warning
      /// What happens.
      case info
      /// Everything.
      case debug
    }

    /// The least important entry that is written.
    public var level = Level.info
  }
}
