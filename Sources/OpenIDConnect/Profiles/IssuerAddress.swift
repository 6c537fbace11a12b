internal import TokenSecurityEncodings
internal import HTTPExchange
internal import JOSE

/// Issuers that a provider's profile derives the address of its keys from.
enum IssuerAddress {
  /// The segments of the path of `issuer`, which must be an address without a query.
  ///
  /// - Parameters:
  ///   - issuer: the issuer, as tokens have it.
  ///   - kind: what the issuer is called in an error.
  ///   - form: the form that it should have, for an error.
  static func path(of issuer: String, kind: String, form: String) throws(OpenIDError) -> [String] {
    guard let address = try? HTTPURL(issuer), address.query == nil else {
      throw .identifierInvalid(kind: kind, value: issuer, rule: "it is not \(form)")
    }
    let segments = address.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    // No dot segment: the keys' address is made by adding to the path.
    guard segments.allSatisfy({ $0 != "." && $0 != ".." }) else {
      throw .identifierInvalid(kind: kind, value: issuer, rule: "it is not \(form)")
    }
    return Array(segments.dropFirst())
  }
}
