internal import TokenSecurityEncodings
internal import JOSE

/// Checks of access tokens, in the standard's form and in those of providers.
enum AccessTokenChecks {
  /// The check that the client is one of `clients`. The first claim of `names` that is there names it.
  ///
  /// A claim of one of these names that is not a string is refused whatever is expected: RFC 9068 section 2.2 and
  /// RFC 8693 section 4.3 define it as a string. Two of these claims may not name two clients.
  static func client(_ names: [String], _ clients: Expectation<String>) -> TokenCheck {
    TokenCheck(
      names.count == 1 ? names[0] : "client", reference: "RFC 9068 section 2.2", expected: clients.demand,
      actual: { claims, _ in found(names, claims)?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        let found = found(names, claims)
        switch clients {
        case .unchecked: break
        case .absent:
          for name in names where claims.has(name) {
            return ClaimError.clientMismatch(actual: found, expected: []).refusal
          }
          return nil
        case .oneOf(let values):
          guard let found, values.contains(found) else {
            return ClaimError.clientMismatch(actual: found, expected: values).refusal
          }
        }
        for name in names where !claims.isText(name) {
          return ClaimError.claimInvalid(name: name, rule: "must be a string").refusal
        }
        for name in names where claims.has(name) && found.map({ claims.has(name, $0) }) != true {
          return ClaimError.claimInvalid(name: name, rule: "names another client than \(found?.quoted ?? "")")
            .refusal
        }
        guard names.count == 1 || found != nil else {
          return ClaimError.claimInvalid(name: names.first ?? "", rule: "is not there to name the client")
            .refusal
        }
        return nil
      })
  }

  private static func found(_ names: [String], _ claims: TokenClaims) -> String? {
    for name in names { if let text = claims[name]?.string { return text } }
    return nil
  }

  /// The check that `name` is among the scopes.
  static func scope(
    _ name: String, in claim: AccessTokenRules.ScopeClaim = .text("scope")
  ) -> TokenCheck {
    TokenCheck(
      claim.name, reference: "RFC 6749 section 3.3", expected: name.quoted,
      actual: { claims, _ in
        claims[claim.name].map { $0.string?.quoted ?? claim.scopes(in: claims).quotedList } ?? "absent"
      },
      refusal: { claims, _, _ in
        let found = claim.scopes(in: claims)
        return found.contains(name) ? nil : ClaimError.scopeMissing(name, actual: found).refusal
      })
  }
}
