internal import TokenSecurityEncodings
internal import JOSE

/// The checks that are particular to user pools' tokens.
enum CognitoChecks {
  /// `token_use`: `id` or `access`. Judged first, and told as the kind of token that it is.
  static func use(_ wanted: CognitoUserPool.Use) -> TokenCheck {
    let demand = wanted == .either ? "\"id\" or \"access\"" : wanted.name.quoted
    return TokenCheck(
      "token_use", reference: nil, expected: demand, isCheckedFirst: true,
      actual: { claims, _ in claims["token_use"]?.string?.quoted ?? "absent" },
      refusal: { claims, header, _ in
        let isID = claims.has("token_use", "id")
        guard isID || claims.has("token_use", "access") else {
          return ClaimError.profileMismatch(
            name: "token_use", actual: claims["token_use"]?.string, expected: ["id", "access"]
          ).refusal
        }
        switch wanted {
        case .id where !isID: return ClaimError.wrongKind(expected: .idToken, actual: .accessToken).refusal
        case .access where isID: return ClaimError.wrongKind(expected: .accessToken, actual: .idToken).refusal
        default: break
        }
        // User pools leave the header's type out. An explicit one must not be that of another kind.
        guard let type = header.type, !HeaderType.isOne(type, of: ["JWT", isID ? "id_token+jwt" : "at+jwt"])
        else { return nil }
        return ClaimError.typeForeign(expected: isID ? .idToken : .accessToken, actual: type).refusal
      })
  }

  /// The client, which is in `aud` of an ID token and in `client_id` of an access token.
  static func client(_ clients: Expectation<String>) -> TokenCheck {
    let name = { @Sendable (claims: TokenClaims) -> String? in
      claims.has("token_use", "id") ? claims.audience?.first : claims["client_id"]?.string
    }
    return TokenCheck(
      "client", reference: nil, expected: clients.demand,
      actual: { claims, _ in name(claims)?.quoted ?? "absent" },
      refusal: { claims, _, _ in
        guard case .oneOf(let values) = clients else { return nil }
        let found = name(claims)
        let isID = claims.has("token_use", "id")
        return found.map { values.contains($0) } == true && (!isID || claims.audience?.count == 1)
          ? nil : ClaimError.clientMismatch(actual: found, expected: values).refusal
      })
  }

  /// An access token's `aud`: one of the resources where some are named, and otherwise the client or absent.
  static func audience(_ resources: [String]) -> TokenCheck {
    TokenCheck(
      "audience", reference: "RFC 8707 section 2",
      expected: resources.isEmpty
        ? "an access token's client, if there is one" : "of an access token: " + resources.quotedList,
      actual: { claims, _ in claims.audience.map { $0.quotedList } ?? "absent" },
      refusal: { claims, _, _ in
        guard !claims.has("token_use", "id") else { return nil }
        let found = claims.audience ?? []
        let isAccepted: Bool
        if resources.isEmpty {
          isAccepted =
            !claims.has("aud") || !found.isEmpty && found.allSatisfy { claims.has("client_id", $0) }
        } else {
          isAccepted = found.contains { resources.contains($0) }
        }
        guard !isAccepted else { return nil }
        let expected = resources.isEmpty ? [claims["client_id"]?.string ?? ""] : resources
        let error: JOSEError =
          claims.has("aud")
          ? .audienceMismatch(expected: expected, actual: found) : .claimMissing(name: "aud")
        return CheckRefusal(code: error.codeText, message: "\(error)")
      })
  }

  /// `sub`: never empty.
  static let subject = TokenCheck(
    "subject", reference: nil, expected: "not empty",
    refusal: { claims, _, _ in
      claims.has("sub", "") ? ClaimError.subjectInvalid.refusal : nil
    })

  /// The claims that are read as groups, scopes and names are what they are read as. `custom:` claims may be anything:
  /// a pre token generation trigger makes arrays, objects and numbers of them.
  static let types = TokenCheck(
    "profile", reference: nil, expected: "claims of a user pool of their types",
    refusal: { claims, _, _ in
      func refuse(_ name: String, _ rule: String) -> CheckRefusal {
        ClaimError.claimInvalid(name: name, rule: rule).refusal
      }
      guard claims.isTexts("cognito:groups") else {
        return refuse("cognito:groups", "must be an array of strings")
      }
      guard claims.isTexts("cognito:roles") || claims.isText("cognito:roles") else {
        return refuse("cognito:roles", "must be an array of strings, or a string divided by commas")
      }
      for name in texts where !claims.isText(name) { return refuse(name, "must be a string") }
      return nil
    })

  private static let texts = ["scope", "username", "cognito:username", "client_id", "origin_jti"]

  /// `cognito:groups`: the user is in one of these.
  static func groups(_ wanted: [String]) -> TokenCheck {
    TokenCheck(
      "cognito:groups", reference: nil, expected: "one of " + wanted.quotedList,
      actual: { claims, _ in claims["cognito:groups"]?.strings.map { $0.quotedList } ?? "absent" },
      refusal: { claims, _, _ in
        let found = claims["cognito:groups"]?.strings ?? []
        return found.contains { wanted.contains($0) }
          ? nil : ClaimError.groupMissing(expected: wanted, actual: found).refusal
      })
  }

  /// `origin_jti` is not among what has been revoked. A token without one cannot be told, and is refused.
  static func revocation(_ isRevoked: @escaping @Sendable (String) -> Bool) -> TokenCheck {
    TokenCheck(
      "origin_jti", reference: nil, expected: "not revoked",
      refusal: { claims, _, _ in
        guard let origin = claims["origin_jti"]?.string else {
          return ClaimError.claimInvalid(name: "origin_jti", rule: "is not there to be looked up").refusal
        }
        return isRevoked(origin) ? ClaimError.revoked.refusal : nil
      })
  }
}
