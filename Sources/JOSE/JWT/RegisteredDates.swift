internal import TokenSecurityEncodings

/// The dates among the registered claims, read after the types of all of them were checked.
struct RegisteredDates {
  let expiration: NumericDate?
  let notBefore: NumericDate?
  let issuedAt: NumericDate?
  let authenticationTime: NumericDate?

  init() {
    (expiration, notBefore, issuedAt, authenticationTime) = (nil, nil, nil, nil)
  }

  /// Reads the dates.
  ///
  /// - Throws: `claimType` or `dateOutOfRange` for the first claim that breaks RFC 7519 section 4.1.
  init(_ claims: borrowing ClaimsDocument) throws(JOSEError) {
    try Self.checkString("iss", claims, claims.places.issuer)
    try Self.checkString("sub", claims, claims.places.subject)
    try Self.checkString("jti", claims, claims.places.tokenID)
    try Self.checkAudience(claims)
    expiration = try Self.date("exp", claims, claims.places.expiration)
    notBefore = try Self.date("nbf", claims, claims.places.notBefore)
    issuedAt = try Self.date("iat", claims, claims.places.issuedAt)
    authenticationTime = try Self.date("auth_time", claims, claims.places.authenticationTime)
  }

  private static func checkString(
    _ name: String, _ claims: borrowing ClaimsDocument, _ place: Int?
  ) throws(JOSEError) {
    guard let place, claims.document.kind(at: place) != .string else { return }
    throw .claimType(name: name, expected: "a string")
  }

  private static func checkAudience(_ claims: borrowing ClaimsDocument) throws(JOSEError) {
    guard let place = claims.places.audience, claims.document.kind(at: place) != .string else { return }
    guard claims.document.kind(at: place) == .array,
      claims.document.allElements(of: place, are: .string)
    else { throw .claimType(name: "aud", expected: "a string or an array of strings") }
  }

  private static func date(
    _ name: String, _ claims: borrowing ClaimsDocument, _ place: Int?
  ) throws(JOSEError) -> NumericDate? {
    guard let place else { return nil }
    return try NumericDate(claims.document, at: place, name: name)
  }
}
