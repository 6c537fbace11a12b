public import TokenLifetime

/// A table: rows with a key, indexes, an encoding and an optional expiration, declared once.
///
///     struct Session: Sendable {
///       var id, user: String
///       /// A whole second.
///       var end: Timestamp
///
///       static let byUser = Index<Session>("user") { [RecordKey($0.user, $0.end)] }
///       static let table = Table<Session>(
///         "session", key: { RecordKey($0.id) }, indexes: [byUser],
///         encoding: .json(
///           write: { session, _ in
///             [
///               "id": .string(session.id), "user": .string(session.user),
///               "end": .number(JSONNumber(session.end.seconds)),
///             ]
///           },
///           read: { object, _ in
///             guard let id = object["id"]?.string, let user = object["user"]?.string,
///               let end = object["end"]?.int64
///             else { return nil }
///             return Session(id: id, user: user, end: Timestamp(since1970: .seconds(end)))
///           }),
///         expires: { $0.end })
///     }
///
/// An object, since generic code passes structures of a generic type at some cost.
public final class Table<Row: Sendable>: DeclaredTable {
  /// The table's name in the store.
  public var name: String { layout.name }
  /// The layout of the table, for engines.
  public let layout: TableLayout
  package let key: @Sendable (Row) -> RecordKey
  let indexes: [Index<Row>]
  let encoding: RowEncoding<Row>
  let expires: (@Sendable (Row) -> Timestamp?)?

  /// A table.
  ///
  /// - Parameters:
  ///   - name: the name in the store: lower-case letters, digits and underscores, at most 24. It stays.
  ///     `removal_sightings` and `removal_unlisted` are tables of the store itself.
  ///   - key: the row's key.
  ///   - indexes: the indexes. Default: none.
  ///   - encoding: how rows are written and read.
  ///   - expires: when a row expires; nil for a row that does not. Default: no row expires.
  ///   - isFilledByStrangers: true where callers without credentials can add any number of rows, under names that they
  ///     invent. If it has more than a million expired rows, they are kept for half an hour, not for a day:
  ///     ``WriteTransaction/removeExpired(from:limit:)``, by ``ReadTransaction/countEnded(in:)``. Not for rows by which
  ///     something serves once. Default: no.
  public init(
    _ name: String, key: @escaping @Sendable (Row) -> RecordKey, indexes: [Index<Row>] = [],
    encoding: RowEncoding<Row>, expires: (@Sendable (Row) -> Timestamp?)? = nil,
    isFilledByStrangers: Bool = false
  ) {
    layout = TableLayout(
      name: name, version: encoding.version, oldest: encoding.oldest, indexes: indexes.map(\.layout),
      hasExpirations: expires != nil, isFilledByStrangers: isFilledByStrangers,
      indexValues: { stored, rowKey in
        guard stored.version <= encoding.version, let row = encoding.decode(stored.bytes, stored.version),
          key(row) == rowKey
        else { return nil }
        return indexes.map { $0.distinctValues(of: row) }
      })
    self.key = key
    self.indexes = indexes
    self.encoding = encoding
    self.expires = expires
  }
}

/// A table of any row type, for lists of a store's tables.
public protocol DeclaredTable: Sendable {
  /// The table's name in the store.
  var name: String { get }
  /// The layout of the table, for engines.
  var layout: TableLayout { get }
}

/// The layout of a table, for engines: its name, versions and indexes.
public final class TableLayout: Sendable {
  package let name: String
  /// The newest version of its rows that this program reads and writes.
  package let version: Int
  /// The oldest version of its rows that this program can write.
  package let oldest: Int
  package let indexes: [IndexLayout]
  /// Whether rows expire.
  package let hasExpirations: Bool
  /// Whether callers without credentials can add any number of rows.
  package let isFilledByStrangers: Bool
  /// The values of a stored row in each index, for indexes that are added later; nil if it cannot be read.
  package let indexValues: @Sendable (StoredRow, RecordKey) -> [[RecordKey]]?

  init(
    name: String, version: Int, oldest: Int, indexes: [IndexLayout], hasExpirations: Bool,
    isFilledByStrangers: Bool, indexValues: @escaping @Sendable (StoredRow, RecordKey) -> [[RecordKey]]?
  ) {
    self.indexValues = indexValues
    self.name = name
    self.version = version
    self.oldest = oldest
    self.indexes = indexes
    self.hasExpirations = hasExpirations
    self.isFilledByStrangers = isFilledByStrangers
  }
}
