internal import JOSE
internal import TokenSecurityBase

/// Checks that several profiles share.
enum ProfileChecks {
  /// The claim is one of these strings.
  ///
  /// - Parameters:
  ///   - name: the claim.
  ///   - expected: the accepted values.
  ///   - title: the name of the check. Default: the name of the claim.
  ///   - isCheckedFirst: true to run the check before the claims of the JWT standard.
  /// - Returns: the check.
  static func claim(
    _ name: String, _ expected: [String], title: String? = nil, isCheckedFirst: Bool = false
  ) -> TokenCheck {
    TokenCheck(
      title ?? name, reference: nil, expected: expected.quotedList, isCheckedFirst: isCheckedFirst,
      actual: { claims, _ in claims[name]?.string?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        for value in expected where claims.has(name, value) { return nil }
        return ClaimError.profileMismatch(name: name, actual: claims[name]?.string, expected: expected)
          .refusal
      })
  }

  /// `email_verified`, if present, is a boolean, or a boolean in a string as some providers write it. An
  /// address without it proves nothing; the service must check this.
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
