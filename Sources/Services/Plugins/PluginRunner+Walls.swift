import Care
import Texts

extension PluginRunner {
  /// A control group for the next start, where the gateway may make one.
  func group() -> PluginGroup? {
    links.environment.groups?.make(
      plugin: name, run: RunNumber.next(), memoryBytes: configuration.memoryLimitBytes)
  }

  /// Says once of each process that it wants more processes and threads than it may have.
  func reachedTaskLimit() {
    guard !hasReportedTasks else { return }
    hasReportedTasks = true
    let limit = PluginLaunch.tasks
    links.environment.log(
      name, .warning, "it wants more than the \(limit) processes and threads that it may have")
    report(
      .degraded, code: "too-many-tasks",
      detail: Message(
        "The plugin {name} wants more than the {limit} processes and threads that it may have.",
        ["name": name, "limit": limit]))
  }

  /// Says what the owner has to write where the plugin is right to ask for a port of this machine.
  func refusedPort(_ port: UInt16, of address: String) {
    let ports = (configuration.loopback + [port]).map(String.init).joined(separator: ", ")
    links.environment.log(
      name, .warning,
      "it may not reach port \(port) of this machine (\(address)); if it should, write in its entry "
        + "below plugins.enabled: loopback: [\(ports)]")
  }
}
