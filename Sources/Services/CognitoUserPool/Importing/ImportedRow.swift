internal import TokenLifetime
internal import TokenSecurityBase

/// A row of a file of users, with its values in the forms of attributes.
struct ImportedRow: Sendable {
  private(set) var name = ""
  private(set) var attributes: AttributeRules.Given = []
  private(set) var hasFactor = false
  private(set) var salt = ""
  private(set) var verifier = ""
  private(set) var userIDForSRP = ""

  /// Reads a row.
  ///
  /// - Throws: `importRefused`.
  init(
    _ record: CSVReader.Record, _ columns: ImportColumns, for pool: UserPool
  ) throws(UserPoolError) {
    func refused(_ rule: String) -> UserPoolError { .importRefused(line: record.line, rule: rule) }
    guard record.fields.count == columns.columns.count else {
      throw refused(
        "the numbers of fields in the row and in the header differ: \(record.fields.count) and \(columns.columns.count)"
      )
    }
    var flags: Set<ExactString> = []
    for (column, field) in zip(columns.columns, record.fields) {
      guard let value = Self.text(field) else { throw refused("a field is not UTF-8") }
      switch column {
      case .name: name = value
      case .salt: salt = value
      case .verifier: verifier = value
      case .userIDForSRP: userIDForSRP = value
      case .hasFactor:
        guard let flag = AttributeValue.flag(value) else {
          throw refused("cognito:mfa_enabled must be true or false")
        }
        hasFactor = flag
      case .attribute(let key) where !value.isEmpty:
        if let address = VerifiedAttribute.allCases.first(where: { $0.flag == key.text }) {
          guard let flag = AttributeValue.flag(value) else { throw refused("\(key) must be true or false") }
          flags.insert(key)
          if flag { attributes.append((name: address.flag, value: "true")) }
        } else if key == "birthdate" {
          guard let date = Self.date(value) else { throw refused("birthdate must have the form mm/dd/yyyy") }
          attributes.append((name: key.text, value: date))
        } else {
          attributes.append((name: key.text, value: value))
        }
      case .attribute: break
      }
    }
    guard !name.isEmpty else { throw refused("cognito:username is empty") }
    guard !flags.isEmpty else { throw refused("email_verified or phone_number_verified is required") }
    try check(pool, record.line)
  }

  /// True where an address is said to be verified.
  private func isVerified(_ address: VerifiedAttribute) -> Bool {
    attributes.contains { $0.name == address.flag }
  }

  private func check(_ pool: UserPool, _ line: Int) throws(UserPoolError) {
    func refused(_ rule: String) -> UserPoolError { .importRefused(line: line, rule: rule) }
    guard pool.mfa != .on || hasFactor else {
      throw refused("cognito:mfa_enabled must be true, since the pool requires a second factor")
    }
    guard pool.mfa != .off || !hasFactor else {
      throw refused("cognito:mfa_enabled must be false, since the pool has no second factor")
    }
    guard verifier.isEmpty == salt.isEmpty else { throw refused("srp:salt and srp:verifier belong together") }
    // A user without a password resets it with a code.
    guard !verifier.isEmpty || pool.autoVerified.contains(where: isVerified) else {
      let flags = pool.autoVerified.map(\.flag).joined(separator: " or ")
      throw refused(
        "\(flags.isEmpty ? "srp:verifier is required" : "\(flags) must be true"): the user could not reset the password"
      )
    }
  }

  /// A field without leading and trailing white space; nil where it is not UTF-8.
  static func text(_ field: [UInt8]) -> String? {
    var rest = field[...]
    while let first = rest.first, first.isASCIISpace { rest = rest.dropFirst() }
    while let last = rest.last, last.isASCIISpace { rest = rest.dropLast() }
    return String(validating: rest, as: UTF8.self)
  }

  /// `mm/dd/yyyy` as the attribute has it: `yyyy-mm-dd`.
  private static func date(_ value: String) -> String? {
    let parts = value.parts(at: "/")
    guard parts.count == 3, parts[0].isDigits(count: 2), parts[1].isDigits(count: 2),
      parts[2].isDigits(count: 4), let month = Int64(parts[0]), let day = Int64(parts[1]),
      let year = Int64(parts[2]), GregorianDate(year: year, month: month, day: day) != nil
    else { return nil }
    return "\(parts[2])-\(parts[0])-\(parts[1])"
  }
}
