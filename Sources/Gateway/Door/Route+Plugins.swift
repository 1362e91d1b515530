import Care
import JSON

extension Route {
  /// Plugins and how they do.
  ///
  /// - Result: `[{name, version, state, pid?, restarts, confinement?, walls?, withheld: [grant], reads: [grant], deadLetters,
  ///   lastError, lanes: [{lane, cursor, depth, oldestAgeSeconds?, lastSuccessAgeSeconds?, exceptions, delivered,
  ///   redelivered}]}]`. `withheld` is what it asks for and was not granted, of events; `reads` is what it was granted to
  ///   ask the gateway. `confinement` says in words
  ///   and `walls` by name what keeps one in that runs: `{user, pid, ipc, net, group, landlock, seccomp, loopback}`, each
  ///   true or false, `landlock` the kernel's version of it or 0, null for what the plugin does not need.
  public static let pluginsList = Route(
    "plugins.list", needs: [.gateway], of: .gateway,
    gives: .list(
      .object(
        name: "Plugin",
        [
          Member("name", .text), Member("version", .text), Member("state", .text),
          Member("pid", .whole).optional, Member("restarts", .whole),
        ])),
    answer: .plain([
      "name", "version", "state", "pid", "restarts", "confinement", "walls", "withheld", "reads",
      "lanes", "deadLetters",
    ]) + .contacts(["lastError"]))
  /// Starts a plugin again: `{name}`.
  ///
  /// - Result: `{restarted: name}`.
  public static let pluginsRestart = Route(
    "plugins.restart", [.text("name")], needs: [.administer], of: .gateway)
  /// Events that plugins refused for ever, oldest first: `{plugin?}`.
  ///
  /// - Result: `[{plugin, lane, sequence, event, reason, time}]`.
  public static let deadLettersList = Route(
    "deadletters.list", [.text("plugin").optional], needs: [.administer], of: .gateway)
  /// Drives dead letters again: `{plugin?, event?}`; all without either.
  ///
  /// - Result: `{redriven: count}`.
  public static let deadLettersRedrive = Route(
    "deadletters.redrive", [.text("plugin").optional, .text("event").optional],
    needs: [.administer], of: .gateway)
  /// Copies the database: `{path?}`; into the backups of the state directory without.
  ///
  /// - Result: `{path}`.
  public static let backupCreate = Route(
    "backup.create", [.text("path").optional], needs: [.administer], of: .gateway,
    disarmingParameter: "path")

  static let pluginRoutes: [Route] = [
    .pluginsList, .pluginsRestart, .deadLettersList, .deadLettersRedrive, .backupCreate,
  ]
}
