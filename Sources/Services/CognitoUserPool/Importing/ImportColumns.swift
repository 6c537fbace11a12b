internal import TokenSecurityBase

/// The columns of a file of users.
package struct ImportColumns: Sendable {
  /// The content of a column.
  enum Column: Sendable, Hashable {
    case attribute(ExactString)
    case name
    case hasFactor
    /// Salt and verifier of a password, and the id that it was computed with.
    case salt
    case verifier
    case userIDForSRP
  }

  private static let special: [ExactString: Column] = [
    "cognito:username": .name, "cognito:mfa_enabled": .hasFactor, "srp:salt": .salt,
    "srp:verifier": .verifier, "srp:id": .userIDForSRP,
  ]

  /// In the order of the file.
  let columns: [Column]

  /// The columns that a file must have.
  private static let required: [ExactString] = ["cognito:username", "cognito:mfa_enabled"]

  /// The names of the columns of the service's own files.
  package static func names(for pool: UserPool) -> [String] {
    pool.allAttributes.map(\.fullName).filter { $0 != "sub" } + ["cognito:mfa_enabled", "cognito:username"]
  }

  /// Reads a file's first row.
  ///
  /// - Throws: `importRefused` for a column that occurs twice, or that is neither an attribute of the pool nor `srp:salt`, `srp:verifier`
  ///   and `srp:id`; where `cognito:username` or `cognito:mfa_enabled` is missing.
  init(_ record: CSVReader.Record, for pool: UserPool) throws(UserPoolError) {
    func refused(_ rule: String) -> UserPoolError { .importRefused(line: record.line, rule: rule) }
    let known = Set(Self.names(for: pool).map { ExactString($0) })
    var seen: Set<ExactString> = []
    var columns: [Column] = []
    for field in record.fields {
      guard let name = ImportedRow.text(field) else { throw refused("a column's name is not UTF-8") }
      guard !name.hasPrefix("\u{FEFF}") else { throw refused("the file begins with a byte order mark") }
      let key = ExactString(name)
      guard seen.insert(key).inserted else { throw refused("the column \(name.quoted) occurs twice") }
      guard let special = Self.special[key] else {
        guard known.contains(key) else { throw refused("the pool has no attribute \(name.quoted)") }
        columns.append(.attribute(key))
        continue
      }
      columns.append(special)
    }
    if let missing = Self.required.first(where: { !seen.contains($0) }) {
      throw refused("the column \(missing) is missing")
    }
    guard columns.contains(.salt) == columns.contains(.verifier) else {
      throw refused("srp:salt and srp:verifier belong together")
    }
    self.columns = columns
  }
}
