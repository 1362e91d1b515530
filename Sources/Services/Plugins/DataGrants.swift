import Care
import PluginProtocol
import Privacy

extension Grant {
  /// What of people the grant shows.
  var dataKinds: Set<DataKind> { DataKind.shown(by: rawValue) }
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
