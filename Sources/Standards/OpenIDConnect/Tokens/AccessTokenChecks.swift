internal import JOSE
internal import TokenSecurityBase

/// The checks of access tokens by the standard and by providers' profiles.
enum AccessTokenChecks {
  /// The client is one of `clients`. The first claim of `names` that is present has it.
  ///
  /// Each of these claims must be a string for any expectation (RFC 9068 section 2.2, RFC 8693 section 4.3),
  /// and all must have the same client.
  static func client(_ names: [String], _ clients: Expectation<String>) -> TokenCheck {
    TokenCheck(
      names.count == 1 ? names[0] : "client", reference: "RFC 9068 section 2.2", expected: clients.inWords,
      actual: { claims, _ in client(names, claims)?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        let actual = client(names, claims)
        switch clients {
        case .unchecked: break
        case .absent:
          for name in names where claims.has(name) {
            return ClaimError.clientMismatch(actual: actual, expected: []).refusal
          }
          return nil
        case .oneOf(let values):
          guard let actual, values.contains(actual) else {
            return ClaimError.clientMismatch(actual: actual, expected: values).refusal
          }
        }
        for name in names where !claims.isText(name) {
          return ClaimError.claimInvalid(name: name, rule: "must be a string").refusal
        }
        for name in names where claims.has(name) && actual.map({ claims.has(name, $0) }) != true {
          return ClaimError.claimInvalid(name: name, rule: "is another client than \(actual?.quoted ?? "")")
            .refusal
        }
        guard names.count == 1 || actual != nil else {
          return ClaimError.claimInvalid(name: names.first ?? "", rule: "is missing, and the client with it")
            .refusal
        }
        return nil
      })
  }

  private static func client(_ names: [String], _ claims: TokenClaims) -> String? {
    for name in names { if let text = claims[name]?.string { return text } }
    return nil
  }

  /// The token has the scope `name`.
  static func scope(
    _ name: String, in claim: AccessTokenRules.ScopeClaim = .text("scope")
  ) -> TokenCheck {
    TokenCheck(
      claim.name, reference: "RFC 6749 section 3.3", expected: name.quoted,
      actual: { claims, _ in
        claims[claim.name].map { $0.string?.quoted ?? claim.scopes(in: claims).quotedList } ?? "absent"
      },
      refusal: { claims, _, _ in
        let actual = claim.scopes(in: claims)
        return actual.contains(name) ? nil : ClaimError.scopeMissing(name, actual: actual).refusal
      })
  }
}
