internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase

/// The issuers that are known by a name.
@Suite struct IssuerProfileTests {
  private static let tenant = "01234567-89ab-cdef-0123-456789abcdef"

  private static func issuer(_ profile: IssuerProfile) throws -> TrustedIssuer {
    var settings = IssuerSettings()
    settings.pool = profile == .cognitoIdentityPool ? "eu-west-1:\(tenant)" : "eu-west-1_Kxample1"
    settings.use = .id
    settings.tenant = tenant
    switch profile {
    case .okta: settings.issuer = "https://login.example/oauth2/default"
    case .auth0: settings.issuer = "https://login.example/"
    case .keycloak: settings.issuer = "https://login.example/realms/Kunden"
    default: break
    }
    settings.audiences = ["api"]
    settings.clientIDs = .oneOf(["client"])
    return try .known(profile, settings)
  }

  /// Spellings that programs take for one address or one text are other issuers.
  private static func lookAlikes(_ name: String) -> [String] {
    let bare = name.rest(after: "https://") ?? name
    return [
      name + "/", name + ".", name + "#", name + "?", " " + name, name + "\n", name + "\u{0}",
      "http://" + bare, "HTTPS://" + bare, "https://" + bare.uppercased(), "https://x@" + bare,
      "https://https://" + bare, "https://" + bare.replacing(".com", with: ".com:443"),
      name.replacing("a", with: "%61"), name.replacing("K", with: "\u{212A}"), String(name.dropLast()),
      name + "\u{301}", "",
    ].filter { $0 != name }
  }

  // Tokens of identity pools have another algorithm.
  @Test(arguments: IssuerProfile.allCases.filter { $0 != .cognitoIdentityPool })
  func lookAlikesAreOtherIssuers(_ profile: IssuerProfile) throws {
    let policy = try Self.issuer(profile).policy
    guard case .oneOf(let names) = policy.issuer else {
      Issue.record("the policy names no issuer")
      return
    }
    func code(_ issuer: String) throws -> String? {
      var claims: JSONObject = [
        "iss": .string(issuer), "sub": "s", "aud": profile.isAuthorizationServer ? "api" : "client",
      ]
      switch profile {
      case .cognitoUserPool: claims["token_use"] = "id"
      case .microsoftEntra: (claims["tid"], claims["ver"]) = (.string(Self.tenant), "2.0")
      case .okta: (claims["cid"], claims["jti"]) = ("client", "1")
      case .auth0: claims["azp"] = "client"
      case .keycloak: (claims["azp"], claims["typ"], claims["jti"]) = ("client", "Bearer", "1")
      default: break
      }
      let type = [.auth0, .keycloak].contains(profile) ? "JWT" : nil
      return try SignedTokens.code(SignedTokens.token(claims, type: type), policy)
    }
    for name in names {
      #expect(try code(name) == nil)
      for other in Self.lookAlikes(name) where !names.contains(other) {
        #expect(try code(other) == "issuer_mismatch", "\(other.debugDescription)")
      }
    }
  }

  /// No profile accepts the issuer of another one.
  @Test func issuersAreDistinct() throws {
    var seen: Set<ExactString> = []
    for profile in IssuerProfile.allCases {
      guard case .oneOf(let names) = try Self.issuer(profile).policy.issuer else { continue }
      for name in names { #expect(seen.insert(ExactString(name)).inserted) }
    }
  }
}
