internal import JOSE
internal import TokenSecurityBase

/// The checks for user pools' tokens.
enum CognitoChecks {
  /// `token_use` is `id` or `access`. Runs first and reports the wrong kind of token.
  static func use(_ expected: CognitoUserPoolIssuer.Use) -> TokenCheck {
    let inWords = expected == .either ? "\"id\" or \"access\"" : expected.name.quoted
    return TokenCheck(
      "token_use", reference: nil, expected: inWords, isCheckedFirst: true,
      actual: { claims, _ in claims["token_use"]?.string?.quoted ?? "absent" },
      refusal: { claims, header, _ in
        let isID = claims.has("token_use", "id")
        guard isID || claims.has("token_use", "access") else {
          return ClaimError.profileMismatch(
            name: "token_use", actual: claims["token_use"]?.string, expected: ["id", "access"]
          ).refusal
        }
        switch expected {
        case .id where !isID: return ClaimError.wrongKind(expected: .idToken, actual: .accessToken).refusal
        case .access where isID: return ClaimError.wrongKind(expected: .accessToken, actual: .idToken).refusal
        default: break
        }
        // User pools omit the header's type. An explicit type must be of this kind.
        guard let type = header.type, !HeaderType.isOne(type, of: ["JWT", isID ? "id_token+jwt" : "at+jwt"])
        else { return nil }
        return ClaimError.wrongType(expected: isID ? .idToken : .accessToken, actual: type).refusal
      })
  }

  /// The client: `aud` of an ID token, `client_id` of an access token.
  static func client(_ clients: Expectation<String>) -> TokenCheck {
    let name = { @Sendable (claims: TokenClaims) -> String? in
      claims.has("token_use", "id") ? claims.audience?.first : claims["client_id"]?.string
    }
    return TokenCheck(
      "client", reference: nil, expected: clients.inWords,
      actual: { claims, _ in name(claims)?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        guard case .oneOf(let values) = clients else { return nil }
        let actual = name(claims)
        let isID = claims.has("token_use", "id")
        return actual.map { values.contains($0) } == true && (!isID || claims.audience?.count == 1)
          ? nil : ClaimError.clientMismatch(actual: actual, expected: values).refusal
      })
  }

  /// An access token's `aud` is one of the resources; without resources it is the client or absent.
  static func audience(_ resources: [String]) -> TokenCheck {
    TokenCheck(
      "audience", reference: "RFC 8707 section 2",
      expected: resources.isEmpty
        ? "an access token's client, if there is one" : "of an access token: " + resources.quotedList,
      actual: { claims, _ in claims.audience.map { $0.quotedList } ?? "absent" },
      refusal: { claims, _, _ in
        guard !claims.has("token_use", "id") else { return nil }
        let actual = claims.audience ?? []
        let isAccepted: Bool
        if resources.isEmpty {
          isAccepted =
            !claims.has("aud") || !actual.isEmpty && actual.allSatisfy { claims.has("client_id", $0) }
        } else {
          isAccepted = actual.contains { resources.contains($0) }
        }
        guard !isAccepted else { return nil }
        guard claims.has("aud") else { return JOSEError.claimMissing(name: "aud").refusal }
        let expected = resources.isEmpty ? [claims["client_id"]?.string ?? ""] : resources
        return JOSEError.audienceMismatch(expected: expected, actual: actual).refusal
      })
  }

  /// `sub` is not empty.
  static let subject = TokenCheck(
    "subject", reference: nil, expected: "not empty",
    refusal: { claims, _, _ in
      claims.has("sub", "") ? ClaimError.subjectInvalid.refusal : nil
    })

  /// The types of the claims for groups, scopes and names. `custom:` claims may have any type: a pre token
  /// generation trigger can add arrays, objects and numbers.
  static let types = TokenCheck(
    "profile", reference: nil, expected: "the claims of a user pool have their types",
    refusal: { claims, _, _ in
      func refuse(_ name: String, _ rule: String) -> CheckRefusal {
        ClaimError.claimInvalid(name: name, rule: rule).refusal
      }
      guard claims.isTexts("cognito:groups") else {
        return refuse("cognito:groups", "must be an array of strings")
      }
      guard claims.isTexts("cognito:roles") || claims.isText("cognito:roles") else {
        return refuse("cognito:roles", "must be an array of strings, or a comma-separated string")
      }
      for name in texts where !claims.isText(name) { return refuse(name, "must be a string") }
      return nil
    })

  private static let texts = ["scope", "username", "cognito:username", "client_id", "origin_jti"]

  /// The user is in one of the groups (`cognito:groups`).
  static func groups(_ expected: [String]) -> TokenCheck {
    TokenCheck.list("cognito:groups", expected: "one of " + expected.quotedList) { actual in
      actual.contains { expected.contains($0) } ? nil : .groupMissing(expected: expected, actual: actual)
    }
  }

  /// `origin_jti` has not been revoked. A token without it cannot be looked up and is refused.
  static func revocation(_ isRevoked: @escaping @Sendable (String) -> Bool) -> TokenCheck {
    TokenCheck(
      "origin_jti", reference: nil, expected: "not revoked",
      refusal: { claims, _, _ in
        guard let origin = claims["origin_jti"]?.string else {
          return ClaimError.claimInvalid(name: "origin_jti", rule: "is missing, and needed to look it up")
            .refusal
        }
        return isRevoked(origin) ? ClaimError.revoked.refusal : nil
      })
  }
}
