internal import TokenSecurityEncodings

/// The dates among the registered claims, once all of these have been found to be of their types.
struct RegisteredDates {
  let expiration: NumericDate?
  let notBefore: NumericDate?
  let issuedAt: NumericDate?
  let authenticationTime: NumericDate?

  /// Dates before anything was read.
  init() {
    (expiration, notBefore, issuedAt, authenticationTime) = (nil, nil, nil, nil)
  }

  /// Reads the dates. Throws `claimType` or `dateOutOfRange` for the first claim that is not as RFC 7519
  /// section 4.1 has it.
  init(_ claims: borrowing ClaimsDocument) throws(JOSEError) {
    try Self.judgeString("iss", claims, claims.places.issuer)
    try Self.judgeString("sub", claims, claims.places.subject)
    try Self.judgeString("jti", claims, claims.places.tokenID)
    try Self.judgeAudience(claims)
    expiration = try Self.date("exp", claims, claims.places.expiration)
    notBefore = try Self.date("nbf", claims, claims.places.notBefore)
    issuedAt = try Self.date("iat", claims, claims.places.issuedAt)
    authenticationTime = try Self.date("auth_time", claims, claims.places.authenticationTime)
  }

  private static func judgeString(
    _ name: String, _ claims: borrowing ClaimsDocument, _ place: Int
  ) throws(JOSEError) {
    guard place < 0 || claims.document.kind(at: place) == .string else {
      throw .claimType(name: name, expected: "a string")
    }
  }

  private static func judgeAudience(_ claims: borrowing ClaimsDocument) throws(JOSEError) {
    let place = claims.places.audience
    guard place >= 0, claims.document.kind(at: place) != .string else { return }
    guard claims.document.kind(at: place) == .array,
      claims.document.allElements(of: place, are: .string)
    else { throw .claimType(name: "aud", expected: "a string or an array of strings") }
  }

  private static func date(
    _ name: String, _ claims: borrowing ClaimsDocument, _ place: Int
  ) throws(JOSEError) -> NumericDate? {
    place < 0 ? nil : try NumericDate(claims.document, at: place, name: name)
  }
}
