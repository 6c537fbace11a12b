import RecordsSQLite

struct Login: Sendable {
  static var table: Table<Login> { given() }
}
