import RecordsPostgreSQL

struct Login: Sendable {
  static var table: Table<Login> { given() }
}
