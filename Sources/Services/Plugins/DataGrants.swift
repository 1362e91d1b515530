import Care
import Door
import PluginProtocol
import Privacy

extension Grant {
  /// What of people the grant shows.
  var dataKinds: Set<DataKind> { DataKind.shown(by: rawValue) }
}

extension PluginManifest {
  /// What it asks for, by single words: all that people may hand in, whole or in pieces, where it asks for every command.
  var askedGrants: Set<Grant> {
    guard grants.contains(.everyCommand) else { return grants }
    let commands = CommandRule.ofPeople.map { Grant.command($0.action) }
    let brought = Route.brought.map { Grant.command($0.name) }
    return grants.subtracting([.everyCommand]).union(commands).union(brought)
  }
}

extension Set<Grant> {
  /// The grants of kinds of data that others ask for and these do not include, in order.
  func withheld(of wanted: some Sequence<Grant>) -> [Grant] {
    let seen = reduce(into: Set<DataKind>()) { $0.formUnion($1.dataKinds) }
    return Array(
      Set<Grant>(wanted.filter { !$0.dataKinds.isEmpty && !$0.dataKinds.isSubset(of: seen) })
    ).sorted()
  }
}
