internal import TokenSecurityBase

/// The dates among the registered claims, read after the types of all of them were checked.
struct RegisteredDates {
  private(set) var expiration: NumericDate?
  private(set) var notBefore: NumericDate?
  private(set) var issuedAt: NumericDate?
  private(set) var authenticationTime: NumericDate?

  /// Reads the dates.
  ///
  /// - Throws: `claimType` or `dateOutOfRange` for the first claim that breaks RFC 7519 section 4.1.
  static func read(
    _ document: JSONDocument, _ places: ClaimsDocument.Places
  ) throws(JOSEError) -> RegisteredDates {
    try checkString("iss", document, places.issuer)
    try checkString("sub", document, places.subject)
    try checkString("jti", document, places.tokenID)
    try checkAudience(document, places.audience)
    return RegisteredDates(
      expiration: try date("exp", document, places.expiration),
      notBefore: try date("nbf", document, places.notBefore),
      issuedAt: try date("iat", document, places.issuedAt),
      authenticationTime: try date("auth_time", document, places.authenticationTime))
  }

  private static func checkString(
    _ name: String, _ document: JSONDocument, _ place: Int?
  ) throws(JOSEError) {
    guard let place, document.kind(at: place) != .string else { return }
    throw .claimType(name: name, expected: "a string")
  }

  private static func checkAudience(
    _ document: JSONDocument, _ place: Int?
  ) throws(JOSEError) {
    guard let place, document.kind(at: place) != .string else { return }
    guard document.kind(at: place) == .array,
      document.allElements(of: place, are: .string)
    else { throw .claimType(name: "aud", expected: "a string or an array of strings") }
  }

  private static func date(
    _ name: String, _ document: JSONDocument, _ place: Int?
  ) throws(JOSEError) -> NumericDate? {
    guard let place else { return nil }
    return try NumericDate(document, at: place, name: name)
  }
}
