internal import TokenSecurityEncodings
internal import JOSE

/// Checks that several profiles share.
enum ProfileChecks {
  /// The claim called `name` is one of these texts.
  static func claim(_ name: String, _ wanted: [String]) -> TokenCheck {
    TokenCheck(
      name, reference: nil, expected: wanted.quotedList,
      actual: { claims, _ in claims[name]?.string?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        for value in wanted where claims.has(name, value) { return nil }
        return ClaimError.profileMismatch(name: name, actual: claims[name]?.string, expected: wanted).refusal
      })
  }

  /// `email_verified` is what its name says: a boolean, or as some providers write it, a boolean in a string.
  /// An address without it proves nothing; that is for the service to mind.
  static let verifiedAddress = TokenCheck(
    "email_verified", reference: "OpenID Connect Core section 5.1", expected: "a boolean, if there is one",
    refusal: { claims, _, _ in
      switch claims["email_verified"] {
      case nil, .bool?: nil
      case .string(let text)? where text == "true" || text == "false": nil
      default: ClaimError.claimInvalid(name: "email_verified", rule: "must be a boolean").refusal
      }
    })
}
