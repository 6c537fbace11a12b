internal import TokenSecurityEncodings

/// The fields of a body of type `application/x-www-form-urlencoded`.
struct QueryForm: Sendable, Hashable {
  private var fields: NameMap<String> = [:]

  /// Reads a form of at most 100 fields without duplicates.
  ///
  /// - Throws: `requestMalformed`.
  init(_ body: [UInt8]) throws(IdentityError) {
    guard !body.isEmpty else { return }
    for field in body.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
      let parts = field.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decode(parts[0]), !name.isEmpty,
        let value = Self.decode(parts.count == 2 ? parts[1] : [])
      else { throw .requestMalformed(rule: "a field of the form is not properly percent-encoded") }
      guard fields.count < 100 else { throw .requestMalformed(rule: "the form has more than 100 fields") }
      guard fields.updateValue(value, forKey: name) == nil else {
        throw .requestMalformed(rule: "a field of the form is duplicated")
      }
    }
  }

  private static func decode(_ text: ArraySlice<UInt8>) -> String? {
    let bytes = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    guard PercentEncoding.firstMalformed(bytes.span) == nil else { return nil }
    return String(validating: PercentEncoding.decode(bytes.span), as: UTF8.self)
  }

  var names: [String] { fields.names }

  subscript(name: String) -> String? { fields[name] }

  func required(_ name: String) throws(IdentityError) -> String {
    guard let value = fields[name] else { throw .parameterMissing(name) }
    return value
  }
}
