internal import TokenSecurityBase

/// The changes of a transaction, as its record has them for other nodes: the transaction's id, and the tables
/// with the keys of the changed rows, as in `-123;person=0261…,0262…;counter=*`.
package struct RecordedChanges {
  package let id: Int64
  /// The keys by table; nil for all rows.
  package let tables: [(name: String, keys: [RecordKey]?)]

  /// Maximum size of a text in bytes. A longer one would name the keys of more rows than it is worth to drop
  /// one by one.
  private static let sizeLimit = 7_900

  /// Reads a text; nil where it is malformed.
  package init?(_ text: String) {
    let parts = text.parts(at: ";")
    guard let first = parts.first, let id = Int64(first) else { return nil }
    self.id = id
    var tables: [(name: String, keys: [RecordKey]?)] = []
    for part in parts.dropFirst() {
      let sides = part.parts(at: "=")
      guard sides.count == 2 else { return nil }
      guard !sides[1].utf8.elementsEqual("*".utf8) else {
        tables.append((sides[0], nil))
        continue
      }
      var keys: [RecordKey] = []
      for text in sides[1].parts(at: ",") {
        guard let bytes = try? Hex.decode(text) else { return nil }
        keys.append(RecordKey(stored: bytes))
      }
      tables.append((sides[0], keys))
    }
    self.tables = tables
  }

  /// The text for changes.
  package static func text(_ id: Int64, _ changed: ChangedRows, tables names: [String]) -> String {
    func text(isShort: Bool) -> String {
      let tables = changed.tables.map { table, keys in
        let keys = isShort ? nil : keys
        return names[table] + "="
          + (keys.map { $0.map { Hex.string($0.bytes) }.joined(separator: ",") } ?? "*")
      }
      return ([String(id)] + tables).joined(separator: ";")
    }
    let full = text(isShort: false)
    return full.utf8.count <= sizeLimit ? full : text(isShort: true)
  }
}
