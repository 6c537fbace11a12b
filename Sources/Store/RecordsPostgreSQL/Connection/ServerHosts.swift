internal import Records
internal import TokenSecurityBase

extension PostgreSQLSettings {
  /// Takes the hosts from the options of an address: `host`, `hostaddr` and `port` are lists with commas.
  ///
  /// libpq would try them itself, but without a time limit for each.
  ///
  /// - Parameter options: the options, from which the three are removed.
  /// - Returns: the options of each host.
  /// - Throws: `settingsRefused` if the lists have different lengths, or there are too many hosts.
  static func hosts(_ options: inout [ExactString: String]) throws(RecordStoreError) -> [[Option]] {
    var lists: [(name: String, values: [String])] = []
    for name in ["host", "hostaddr", "port"] {
      if let list = options.removeValue(forKey: ExactString(name)) {
        lists.append((name, list.parts(at: ",")))
      }
    }
    let names = lists.filter { !$0.name.utf8.elementsEqual("port".utf8) }
    let count = names.first?.values.count ?? 1
    // One port is that of all hosts.
    guard count <= 16, names.allSatisfy({ $0.values.count == count }),
      lists.allSatisfy({ $0.values.count == count || $0.values.count == 1 })
    else {
      throw .settingsRefused("the address of the database has lists of hosts and ports that do not fit")
    }
    return (0..<count).map { index in
      lists.map { ($0.name, $0.values.count == 1 ? $0.values[0] : $0.values[index]) }
    }
  }
}
