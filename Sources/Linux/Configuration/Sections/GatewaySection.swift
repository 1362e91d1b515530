public import Care
public import Texts

/// The gateway itself.
public struct GatewaySection: ConfigurationPart {
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

  /// The defaults.
  public init() {}

  /// Its keys.
  public static let field = ConfigurationField<Self>.group(
    "gateway",
    [
      .text("name", \.name, fault: ConfigurationChecks.name),
      .text("state", \.state, fault: ConfigurationChecks.absolutePath),
      .text("runtime", \.runtime, fault: ConfigurationChecks.absolutePath),
      .optionalText("timeZone", \.timeZone, fault: ConfigurationChecks.timeZone),
      .optionalText("pages", \.pages, fault: ConfigurationChecks.webAddress),
      .word("signUp", \.signUp), .word("language", \.language),
    ])

  /// Its section of the documented file.
  public static let documentation =
    """
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
    """
}

extension GatewayConfiguration {
  /// The gateway itself.
  public var gateway: GatewaySection {
    get { self[GatewaySection.self] }
    set { self[GatewaySection.self] = newValue }
  }
}
