import Glibc

/// The gateway's name in the home's network, announced by Avahi (mDNS).
public enum LocalName {
  /// Whether Avahi runs here.
  public static var isAnnounced: Bool { access("/run/avahi-daemon/socket", F_OK) == 0 }

  /// Where Avahi finds what it announces.
  public static let services = "/etc/avahi/services"

  /// What Avahi announces of the pages, so that browsers of services list them.
  ///
  /// - Source: avahi.service(5).
  public static func service(port: Int) -> String {
    """
    <?xml version="1.0" standalone="no"?>
    <!DOCTYPE service-group SYSTEM "avahi-service.dtd">
    <!-- Written by homeward setup. -->
    <service-group>
      <name replace-wildcards="yes">Homeward on %h</name>
      <service>
        <type>_https._tcp</type>
        <port>\(port)</port>
      </service>
    </service-group>

    """
  }
}
