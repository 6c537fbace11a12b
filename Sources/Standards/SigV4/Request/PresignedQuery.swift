internal import TokenSecurityBase

/// The parameters of a presigned URL.
package struct PresignedQuery {
  /// The names. They are case-sensitive, and a name that differs only in case is rejected.
  static let names: [StaticString] = [
    "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-SignedHeaders", "X-Amz-Expires",
    "X-Amz-Security-Token", "X-Amz-Region-Set", "X-Amz-Signature", "X-Amz-Content-Sha256",
  ]

  /// Whether a parameter belongs to a signature. Verifiers have refused another case than that of ``names``.
  package static func isParameter(_ name: [UInt8]) -> Bool { names.contains { isEqual(name, $0) } }

  private var values: [[UInt8]?]

  /// Returns nil for a query without parameters of a signature.
  init?(_ query: [UInt8]) throws(SigV4Error) {
    guard !query.isEmpty else { return nil }
    values = Array(repeating: nil, count: Self.names.count)
    var parameters = QueryParameters(query)
    var found = false
    while let parameter = parameters.next() {
      guard parameter.name.count >= 10, parameter.name.count <= 20,
        parameter.name[0].lowercasedASCII == UInt8(ascii: "x")
      else { continue }
      for (index, name) in Self.names.enumerated() where Self.isEqual(parameter.name, name) {
        guard parameter.hasName(name) else {
          throw .parameterUnexpected(String(decoding: parameter.name, as: UTF8.self))
        }
        guard values[index] == nil else { throw .parameterRepeated("\(name)") }
        values[index] = parameter.value
        found = true
      }
    }
    guard found else { return nil }
  }

  /// The index of the first `+` in a parameter of the signature, or nil.
  static func firstPlus(_ query: [UInt8]) -> Int? {
    for pair in query.split(separator: UInt8(ascii: "&")) {
      guard let plus = pair.firstIndex(of: UInt8(ascii: "+")) else { continue }
      let encoded = Array(pair.prefix { $0 != UInt8(ascii: "=") })
      let name = PercentEncoding.decode(encoded.span)
      if names.contains(where: { isEqual(name, $0) }) { return plus }
    }
    return nil
  }

  /// Whether a query has the signature of AWS Signature Version 2: `AWSAccessKeyId` and `Signature`.
  static func isVersion2(_ query: [UInt8]) -> Bool {
    var parameters = QueryParameters(query)
    var (hasKey, hasSignature) = (false, false)
    while let parameter = parameters.next() {
      hasKey = hasKey || parameter.hasName("AWSAccessKeyId")
      hasSignature = hasSignature || parameter.hasName("Signature")
    }
    return hasKey && hasSignature
  }

  /// True for equal names, whatever the case of their letters. Verifiers refuse another case than that of ``names``.
  static func isEqual(_ bytes: [UInt8], _ name: StaticString) -> Bool {
    name.withUTF8Buffer { name in
      unsafe bytes.count == name.count
        && zip(bytes, name).allSatisfy { $0.lowercasedASCII == $1.lowercasedASCII }
    }
  }

  subscript(name: StaticString) -> [UInt8]? {
    for (index, other) in Self.names.enumerated() where "\(other)" == "\(name)" { return values[index] }
    return nil
  }

  func required(_ name: StaticString) throws(SigV4Error) -> [UInt8] {
    guard let value = self[name] else { throw .parameterMissing("\(name)") }
    return value
  }
}
