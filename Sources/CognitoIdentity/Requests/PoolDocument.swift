internal import TokenSecurityEncodings

/// A pool as JSON: the response of `DescribeIdentityPool`, and the stored form.
extension IdentityPool {
  /// The response of `DescribeIdentityPool`.
  var publicDocument: JSONObject {
    var object = JSONObject()
    object["IdentityPoolId"] = .string(id)
    object["IdentityPoolName"] = .string(name)
    object["AllowUnauthenticatedIdentities"] = .bool(allowsGuests)
    object["AllowClassicFlow"] = allowsClassicFlow.map(JSONValue.bool)
    if !supportedLoginProviders.isEmpty { object["SupportedLoginProviders"] = .map(supportedLoginProviders) }
    object["DeveloperProviderName"] = developerProviderName.map(JSONValue.string)
    if !openIDProviderARNs.isEmpty {
      object["OpenIdConnectProviderARNs"] = .array(openIDProviderARNs.map(JSONValue.string))
    }
    if !userPoolClients.isEmpty {
      object["CognitoIdentityProviders"] = .array(
        userPoolClients.map {
          .object([
            "ProviderName": .string($0.providerName), "ClientId": .string($0.clientID),
            "ServerSideTokenCheck": .bool(false),
          ])
        })
    }
    if !samlProviderARNs.isEmpty {
      object["SamlProviderARNs"] = .array(samlProviderARNs.map(JSONValue.string))
    }
    object["IdentityPoolTags"] = .map(tags)
    return object
  }

  /// The complete JSON that stores keep.
  public var storedDocument: [UInt8] { JSONWriter.write(document) }

  private var document: JSONObject {
    var object = publicDocument
    object["Roles"] = .map(roles)
    object["RoleMappings"] = .object(RoleMapping.object(roleMappings))
    var maps = JSONObject()
    for (provider, map) in principalTagMaps {
      maps[provider] = .object(["UseDefaults": .bool(map.usesDefaults), "PrincipalTags": .map(map.tags)])
    }
    object["PrincipalTagMaps"] = .object(maps)
    return object
  }

  /// Reads a ``storedDocument``; nil where it is malformed.
  ///
  /// - Parameter text: the JSON.
  public init?(storedDocument text: [UInt8]) {
    do throws(IdentityError) { try self.init(reading: text) } catch { return nil }
  }

  /// Reads a ``storedDocument``.
  ///
  /// - Throws: the error of the first malformed setting.
  init(reading text: [UInt8]) throws(IdentityError) {
    let document: JSONDocument
    do { document = try JSONDocument(text, limits: JSONLimits(size: Self.documentLimit)) } catch {
      throw .requestMalformed(rule: "\(error)")
    }
    guard document.kind(at: 0) == .object else {
      throw .requestMalformed(rule: "a pool must be a JSON object")
    }
    let stored = Parameters(document.object())
    self.init(
      id: try stored.required("IdentityPoolId"), name: try stored.required("IdentityPoolName"),
      allowsGuests: try stored.required(
        stored.bool("AllowUnauthenticatedIdentities"), "AllowUnauthenticatedIdentities"))
    try readSettings(stored)
    roles = try stored.map(.roles) ?? [:]
    roleMappings = try RoleMapping.read(stored) ?? [:]
    let maps = try stored.objectMap("PrincipalTagMaps", keys: .tagKey, count: 0...Self.principalTagMapLimit)
    for (provider, map) in maps ?? [] {
      principalTagMaps[provider] = PrincipalTagMap(
        usesDefaults: try map.bool("UseDefaults") ?? false,
        tags: try map.map(.principalTags) ?? [:])
    }
  }

  /// The most providers with a map of principal tags.
  public static let principalTagMapLimit = 1_000

  /// Reads the members that `CreateIdentityPool` and `UpdateIdentityPool` share, except for name and guests.
  mutating func readSettings(_ parameters: Parameters) throws(IdentityError) {
    allowsClassicFlow = try parameters.bool("AllowClassicFlow")
    supportedLoginProviders = try parameters.map(.supportedLoginProviders) ?? [:]
    if let name = try parameters.string("DeveloperProviderName", .developerProviderName) {
      guard LoginProvider(publicName: name) == nil, name != LoginProvider.developerTokenName else {
        throw .parameterRefused("DeveloperProviderName", rule: "it is the name of a public provider")
      }
      if let fixed = developerProviderName, fixed != name {
        throw .developerProviderFixed(fixed)
      }
      developerProviderName = name
    }
    openIDProviderARNs = try parameters.strings("OpenIdConnectProviderARNs", .arn) ?? []
    for arn in openIDProviderARNs where LoginProvider(openIDProviderARN: arn) == nil {
      throw .parameterPattern("OpenIdConnectProviderARNs", pattern: "arn:aws:iam::ACCOUNT:oidc-provider/HOST")
    }
    samlProviderARNs = try parameters.strings("SamlProviderARNs", .arn) ?? []
    userPoolClients = []
    for client in try parameters.objects("CognitoIdentityProviders", count: 0...1_000) ?? [] {
      // AWS's model has both as optional, but a client without either is useless.
      let name = try client.required("ProviderName", .userPoolProviderName)
      guard case .userPool? = LoginProvider(publicName: name) else {
        throw .parameterPattern(
          "CognitoIdentityProviders.ProviderName", pattern: "cognito-idp.REGION.amazonaws.com/POOL")
      }
      let clientID = try client.required("ClientId", .userPoolClientID)
      if try client.bool("ServerSideTokenCheck") == true {
        throw .parameterRefused(
          "CognitoIdentityProviders.ServerSideTokenCheck",
          rule: "revocation of user pools' tokens is not checked")
      }
      userPoolClients.append(UserPoolClient(providerName: name, clientID: clientID))
    }
    if let tags = try parameters.map(.poolTags) {
      self.tags = tags
    }
  }
}

extension RoleMapping {
  static func object(_ mappings: NameMap<RoleMapping>) -> JSONObject {
    var object = JSONObject()
    for (provider, mapping) in mappings {
      var inner: JSONObject = [
        "Type": .string(mapping.kind.name),
        "AmbiguousRoleResolution": .string(mapping.ambiguity.name),
      ]
      if !mapping.rules.isEmpty {
        inner["RulesConfiguration"] = .object([
          "Rules": .array(
            mapping.rules.map {
              .object([
                "Claim": .string($0.claim), "MatchType": .string($0.match.name),
                "Value": .string($0.value),
                "RoleARN": .string($0.roleARN),
              ])
            })
        ])
      }
      object[provider] = .object(inner)
    }
    return object
  }

  static func read(_ parameters: Parameters) throws(IdentityError) -> NameMap<RoleMapping>? {
    guard let all = try parameters.objectMap("RoleMappings", keys: .providerName, count: 0...10) else {
      return nil
    }
    var mappings: NameMap<RoleMapping> = [:]
    for (provider, mapping) in all {
      let kind = try mapping.required(oneOf(Kind.self, mapping, "Type"), "Type")
      let ambiguity = try oneOf(Ambiguity.self, mapping, "AmbiguousRoleResolution")
      var rules: [Rule] = []
      if let configuration = try mapping.object("RulesConfiguration") {
        let list = try configuration.required(configuration.objects("Rules", count: 1...400), "Rules")
        for rule in list {
          let match = try rule.required(oneOf(Rule.Match.self, rule, "MatchType"), "MatchType")
          rules.append(
            Rule(
              claim: try rule.required("Claim", .claim), match: match,
              value: try rule.required("Value", .claimValue), roleARN: try rule.required("RoleARN", .arn)))
        }
      }
      guard (kind == .rules) == !rules.isEmpty else {
        throw .parameterRefused(
          "RoleMappings", rule: "the type Rules needs at least one rule; the type Token allows none")
      }
      mappings[provider] = RoleMapping(kind: kind, ambiguity: ambiguity ?? .deny, rules: rules)
    }
    return mappings
  }

  private static func oneOf<T: RawRepresentable<ExactString> & CaseIterable>(
    _ type: T.Type, _ parameters: Parameters, _ name: String
  ) throws(IdentityError) -> T? {
    guard let text = try parameters.string(name, .tagKey) else { return nil }
    guard let value = T(name: text) else {
      throw .parameterRefused(
        name, rule: "it must be one of " + T.allCases.map(\.name).joined(separator: ", "))
    }
    return value
  }
}

extension JSONValue {
  /// A map of texts, ordered by key.
  static func map(_ map: NameMap<String>) -> JSONValue {
    var object = JSONObject()
    for (key, value) in map { object[key] = .string(value) }
    return .object(object)
  }
}
