import Bytes
import ControlSocket
import Door
import JSON

/// `homeward metrics`.
enum MetricsCommand {
  static let specification: CommandSpecification = .init(
    path: ["metrics"], summary: gettext("The figures for a monitoring system"),
    discussion: gettext(
      "As the plugin metrics shows them over HTTP, for where it does not run."),
    examples: [
      Example("homeward metrics", gettext("In the text format that Prometheus reads."))
    ]
  ) { session throws(CommandFailure) in
    try session.show(try session.call(.metrics)) { answer throws(DecodeError) in
      try JSONReader(answer).string("text")
    }
  }
}
