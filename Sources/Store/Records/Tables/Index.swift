/// An index of a table: values by which rows are found.
///
///     let byUser = Index<Login>("user", isUnique: true) { [RecordKey($0.pool, $0.user)] }
///
/// A row has no, one or several values in an index. In a unique index a value belongs to one row at most.
public struct Index<Row: Sendable>: Sendable {
  let layout: IndexLayout
  private let values: @Sendable (Row) -> [RecordKey]

  /// An index.
  ///
  /// - Parameters:
  ///   - name: the name in the store: lower-case letters, digits and underscores, at most 24. It stays.
  ///   - isUnique: whether a value belongs to one row at most. Default: no.
  ///   - values: the row's values. The same row must always give the same ones.
  public init(
    _ name: String, isUnique: Bool = false, values: @escaping @Sendable (Row) -> [RecordKey]
  ) {
    layout = IndexLayout(name: name, isUnique: isUnique)
    self.values = values
  }

  /// The row's values, each once.
  func distinctValues(of row: Row) -> [RecordKey] {
    let values = values(row)
    guard values.count > 1 else { return values }
    var seen: Set<RecordKey> = []
    return values.filter { seen.insert($0).inserted }
  }
}

/// The layout of an index, for engines.
package final class IndexLayout: Sendable {
  package let name: String
  package let isUnique: Bool

  init(name: String, isUnique: Bool) {
    self.name = name
    self.isUnique = isUnique
  }
}
