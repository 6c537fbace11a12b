internal import Records
internal import TokenSecurityBase

/// A filter of `ListUsers`: `name = "value"`, or `name ^= "beginning"`.
///
/// - `filter`: blanks, `name`, blanks, `=` or `^=`, blanks, `value`, blanks
/// - `name`: one or more characters but blanks, `=`, `^` and quotation marks
/// - `value`: a quotation mark, characters, a quotation mark
///
/// Within a value a quotation mark and a backslash come after a backslash; a backslash before another character
/// is itself.
package struct UserFilter: Sendable, Hashable {
  /// The field that is searched.
  package enum Field: Sendable, Hashable {
    /// The user name, as the pool compares it.
    case userName
    case sub
    /// `Enabled` or `Disabled`.
    case enabled
    /// The status, in any case of ASCII letters.
    case status
    /// A standard attribute, in any case of ASCII letters.
    case attribute(ExactString)
  }

  package let field: Field
  package let value: String
  /// True where the value is the beginning of what is searched.
  package let isPrefix: Bool

  /// Reads a filter.
  ///
  /// - Parameter text: the filter.
  /// - Throws: `filterInvalid`, `attributeNotSearchable`.
  package init(_ text: String) throws(UserPoolError) {
    var rest = Array(text.utf8)[...]
    let name = Self.name(&rest)
    guard !name.isEmpty else { throw .filterInvalid }
    Self.skipBlanks(&rest)
    isPrefix = rest.first == UInt8(ascii: "^")
    if isPrefix { rest = rest.dropFirst() }
    guard rest.popFirst() == UInt8(ascii: "=") else { throw .filterInvalid }
    Self.skipBlanks(&rest)
    guard let value = Self.value(&rest) else { throw .filterInvalid }
    Self.skipBlanks(&rest)
    guard rest.isEmpty else { throw .filterInvalid }
    self.value = String(decoding: value, as: UTF8.self)
    let key = ExactString(String(decoding: name, as: UTF8.self))
    switch key {
    case "username": field = .userName
    case "sub": field = .sub
    case "status": field = .enabled
    case "cognito:user_status": field = .status
    default:
      guard UserPoolTables.searchedAttributes.contains(key.text) else {
        throw .attributeNotSearchable(key.text)
      }
      field = .attribute(key)
    }
  }

  private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
    while let byte = rest.first, byte.isASCIISpace { rest = rest.dropFirst() }
  }

  private static func name(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    skipBlanks(&rest)
    let name = rest.prefix { !$0.isASCIISpace && !"=^\"".utf8.contains($0) }
    rest = rest.dropFirst(name.count)
    return name
  }

  /// The value without its marks; nil where a mark is missing.
  private static func value(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return value
      case UInt8(ascii: "\\"):
        if let next = rest.first, next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") {
          value.append(next)
          rest = rest.dropFirst()
        } else {
          value.append(byte)
        }
      default: value.append(byte)
      }
    }
    return nil
  }
}

extension UserFilter {
  /// Returns whether a user matches.
  func matches(_ user: User, _ naming: UserNaming) -> Bool {
    switch field {
    case .userName: matches(user.canonicalName, naming.canonical(value))
    case .sub: matches(user.sub, value)
    case .enabled: matches(user.isEnabled ? "Enabled" : "Disabled", value)
    case .status: matches(user.status.name.lowercasedASCII, value.lowercasedASCII)
    case .attribute(let name):
      user.attribute(name.text).map { matches($0.lowercasedASCII, value.lowercasedASCII) } ?? false
    }
  }

  private func matches(_ text: String, _ wanted: String) -> Bool {
    isPrefix ? text.hasPrefix(wanted) : text == wanted
  }
}
