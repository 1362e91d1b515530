import CMosquitto
import Care
import Glibc
import PluginKit
import PluginProtocol

/// Why there is no connection to the broker, in words that a person can act on.
struct BrokerFault: Error, Hashable, Sendable {
  /// A stable word, such as `refused` or `certificate-expired`.
  var code: String
  /// One plain sentence that says what to do next; never a secret.
  var detail: String

  /// What the fault means for the plugin.
  var health: PluginHealth { PluginHealth(state: .failed, code: code, detail: detail) }
}

extension BrokerFault {
  /// The broker did not answer in time.
  static func silent(_ address: String) -> BrokerFault {
    BrokerFault(
      code: "no-answer",
      detail: gettext(
        "{address} does not answer; check that the broker runs and that the network is up",
        ["address": address]))
  }

  /// The broker answered the greeting with a refusal.
  ///
  /// - Source: MQTT 3.1.1, table 3.1 (return codes 1 through 5).
  static func refusal(returnCode: Int32, _ address: String) -> BrokerFault {
    switch returnCode {
    case 1:
      BrokerFault(
        code: "protocol",
        detail: gettext(
          "{address} does not speak MQTT 3.1.1; use another broker", ["address": address]))
    case 2:
      BrokerFault(
        code: "client-id",
        detail: gettext(
          "{address} does not take this clientID; configure another", ["address": address]))
    case 3:
      BrokerFault(
        code: "unavailable",
        detail: gettext("{address} is not available now; it is tried again", ["address": address]))
    case 4, 5:
      BrokerFault(
        code: "credentials",
        detail: gettext(
          "{address} refuses username or password; correct them in the settings",
          ["address": address]))
    default:
      BrokerFault(
        code: "refused",
        detail: gettext(
          "{address} refuses the connection (code {code})",
          ["address": address, "code": returnCode]))
    }
  }

  /// The attempt to connect failed before the broker could answer.
  static func connecting(
    result: Int32, errorNumber: Int32, notes: ConnectionNotes.Content, _ address: String
  ) -> BrokerFault {
    if let fault = certificate(notes, address) { return fault }
    if result == MOSQ_ERR_EAI.code {
      return BrokerFault(
        code: "unknown-host",
        detail: gettext(
          "the name of {address} cannot be found; check host and the network's name server",
          ["address": address]))
    }
    if result == MOSQ_ERR_ERRNO.code, errorNumber == ECONNREFUSED {
      return BrokerFault(
        code: "refused",
        detail: gettext(
          "nothing listens at {address}; check port and that the broker runs", ["address": address])
      )
    }
    if result == MOSQ_ERR_ERRNO.code, [EHOSTUNREACH, ENETUNREACH, ENETDOWN].contains(errorNumber) {
      return BrokerFault(
        code: "unreachable",
        detail: gettext("there is no way to {address}; check the network", ["address": address]))
    }
    if result == MOSQ_ERR_ERRNO.code, errorNumber == EACCES || errorNumber == EPERM {
      return BrokerFault(
        code: "forbidden",
        detail:
          gettext(
            "the system forbids the connection to {address}; the plugin needs the grant network",
            ["address": address]))
    }
    return lost(result: result, errorNumber: errorNumber, notes: notes, address)
  }

  /// The connection broke off before the broker's greeting.
  ///
  /// With TLS 1.3 a broker that misses our certificate, or does not trust it, says so after the handshake, and all
  /// that libmosquitto passes on of it is `EPROTO`.
  static func unanswered(
    result: Int32, errorNumber: Int32, notes: ConnectionNotes.Content, usesTLS: Bool,
    _ address: String
  ) -> BrokerFault {
    if let fault = certificate(notes, address) { return fault }
    if usesTLS, errorNumber == EPROTO { return clientCertificate(address) }
    if result == MOSQ_ERR_TLS.code {
      return lost(result: result, errorNumber: errorNumber, notes: notes, address)
    }
    return BrokerFault(
      code: "no-greeting",
      detail: gettext(
        "{address} closed the connection without a greeting; check port and tls",
        ["address": address]))
  }

  /// A connection broke off.
  static func lost(
    result: Int32, errorNumber: Int32, notes: ConnectionNotes.Content, _ address: String
  ) -> BrokerFault {
    if let fault = certificate(notes, address) { return fault }
    if result == MOSQ_ERR_KEEPALIVE.code { return silent(address) }
    if result == MOSQ_ERR_TLS.code {
      let text = notes.lines.last ?? gettext("no reason given")
      return BrokerFault(
        code: "tls",
        detail: gettext(
          "no encrypted connection to {address}: {text}; check tls and port",
          ["address": address, "text": text]))
    }
    let reason =
      result == MOSQ_ERR_ERRNO.code && errorNumber != 0
      ? String(cString: strerror(errorNumber)) : gettext("the far side closed it")
    return BrokerFault(
      code: "disconnected",
      detail: gettext(
        "the connection to {address} broke off ({reason}); it is tried again",
        ["address": address, "reason": reason]))
  }

  private static func certificate(
    _ notes: ConnectionNotes.Content, _ address: String
  ) -> BrokerFault? {
    if notes.lines.contains(where: { $0.contains("host name verification failed") }) {
      return BrokerFault(
        code: "certificate-name",
        detail: gettext(
          "the certificate of {address} is for another name; set host to the name in it",
          ["address": address]))
    }
    if notes.lines.contains(where: { $0.contains("certificate verify failed") }) {
      return verification(notes.verifyResult, address)
    }
    let alerts = ["certificate required", "handshake failure", "alert bad certificate"]
    let rejections = ["unknown ca", "certificate unknown", "certificate expired", "access denied"]
    for line in notes.lines where line.contains("alert") {
      if (alerts + rejections).contains(where: { line.contains($0) }) {
        return clientCertificate(address)
      }
    }
    return nil
  }

  private static func clientCertificate(_ address: String) -> BrokerFault {
    BrokerFault(
      code: "client-certificate",
      detail:
        gettext(
          "{address} wants a client certificate that it trusts; check tls.certificateFile and keyFile",
          ["address": address])
    )
  }

  /// - Source: OpenSSL 3.0, `X509_V_ERR_…` of `x509_vfy.h`: 9 not yet valid, 10 expired, 18 and 19 self-signed,
  ///   2, 20 and 21 unknown issuer.
  private static func verification(_ result: Int, _ address: String) -> BrokerFault {
    switch result {
    case 9:
      BrokerFault(
        code: "certificate-early",
        detail:
          gettext(
            "the certificate of {address} is not valid yet; check this machine's clock, then the certificate",
            ["address": address])
      )
    case 10:
      BrokerFault(
        code: "certificate-expired",
        detail: gettext(
          "the certificate of {address} has expired; renew it on the broker", ["address": address]))
    case 2, 18, 19, 20, 21:
      BrokerFault(
        code: "certificate-unknown",
        detail:
          gettext(
            "the certificate of {address} is signed by an authority not trusted here; set tls.caFile to it",
            ["address": address])
      )
    default:
      BrokerFault(
        code: "certificate",
        detail: gettext(
          "the certificate of {address} does not pass the check (OpenSSL code {result})",
          ["address": address, "result": result]))
    }
  }
}

extension mosq_err_t {
  /// The number that libmosquitto's functions answer.
  var code: Int32 { Int32(rawValue) }
}
