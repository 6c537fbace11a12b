import Records

struct Login: Sendable {
  var pool = ""
  var user: String
  var kind = "external"
  var identity = ""

  static var table: Table<Login> { given() }
}

struct Identity: Sendable {
  static var table: Table<Identity> { given() }
}

enum RuleError: Error {
  case loginUnknown
  case storeFailed(String)
}

var store: any RecordStore { given() }
var rows: ReadTransaction<RecordStoreError> { given() }
var key: RecordKey { given() }
var pool: String { given() }
var user: String { given() }
var identity: String { given() }
var last: RecordKey? { given() }
