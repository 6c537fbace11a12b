internal import TokenSecurityBase

/// A pool in requests and responses, and the JSON that stores keep.
extension IdentityPool {
  /// Maximum number of bytes of a ``storedDocument``.
  public static let documentLimit = 1 << 20

  /// Makes a pool with the settings of a request.
  ///
  /// - Throws: the error of a setting that no pool may have.
  init(id: String, _ settings: PoolSettings) throws(IdentityError) {
    self.init(id: id, name: settings.name)
    try apply(settings)
  }

  /// Replaces the settings. Absent members are removed, except for the developer provider name and tags.
  ///
  /// - Throws: the error of a setting that no pool may have.
  mutating func apply(_ settings: PoolSettings) throws(IdentityError) {
    name = settings.name
    allowsGuests = settings.allowsGuests
    allowsClassicFlow = settings.allowsClassicFlow
    supportedLoginProviders = NameMap(settings.loginProviders ?? [:])
    if let name = settings.developerProvider { try setDeveloperProvider(name) }
    openIDProviderARNs = settings.openIDProviderARNs ?? []
    for arn in openIDProviderARNs where LoginProvider(openIDProviderARN: arn) == nil {
      throw .parameterPattern("OpenIdConnectProviderARNs", pattern: "arn:aws:iam::ACCOUNT:oidc-provider/HOST")
    }
    samlProviderARNs = settings.samlProviderARNs ?? []
    userPoolClients = []
    for client in settings.userPoolClients ?? [] { userPoolClients.append(try UserPoolClient(client)) }
    if let tags = settings.tags { self.tags = NameMap(tags) }
  }

  private mutating func setDeveloperProvider(_ name: String) throws(IdentityError) {
    guard LoginProvider(publicName: name) == nil, name != LoginProvider.developerTokenName else {
      throw .parameterRefused("DeveloperProviderName", rule: "it is the name of a public provider")
    }
    if let fixed = developerProviderName, fixed != name { throw .developerProviderFixed(fixed) }
    developerProviderName = name
  }

  /// The pool in responses.
  var memberDescription: PoolDescription {
    PoolDescription {
      $0.poolID = id
      $0.settings.name = name
      $0.settings.allowsGuests = allowsGuests
      $0.settings.allowsClassicFlow = allowsClassicFlow
      $0.settings.loginProviders = supportedLoginProviders.isEmpty ? nil : supportedLoginProviders.members
      $0.settings.developerProvider = developerProviderName
      $0.settings.openIDProviderARNs = openIDProviderARNs.isEmpty ? nil : openIDProviderARNs
      $0.settings.userPoolClients = userPoolClients.isEmpty ? nil : userPoolClients.map(\.members)
      $0.settings.samlProviderARNs = samlProviderARNs.isEmpty ? nil : samlProviderARNs
      $0.settings.tags = tags.members
    }
  }

  /// Maximum number of providers with a map of principal tags.
  public static let principalTagMapLimit = 1_000

  /// The complete JSON that stores keep.
  public var storedDocument: [UInt8] {
    StoredPool {
      $0.pool = memberDescription
      $0.roles = roles.members
      $0.mappings = roleMappings.members.mapValues(\.members)
      $0.tagMaps = principalTagMaps.members.mapValues { map in
        StoredPool.TagMap {
          $0.usesDefaults = map.usesDefaults
          $0.tags = map.tags.members
        }
      }
    }.json
  }

  /// Reads a ``storedDocument``; nil where it is malformed.
  ///
  /// - Parameter text: the JSON.
  public init?(storedDocument text: [UInt8]) {
    do throws(IdentityError) { try self.init(reading: text) } catch { return nil }
  }

  /// Reads a ``storedDocument``.
  ///
  /// - Throws: the error of a malformed setting.
  init(reading text: [UInt8]) throws(IdentityError) {
    let stored: StoredPool
    do throws(OperationError) {
      stored = try StoredPool(json: text, limit: Self.documentLimit)
    } catch {
      throw IdentityError(error)
    }
    try self.init(id: stored.pool.poolID, stored.pool.settings)
    roles = NameMap(stored.roles ?? [:])
    for (provider, settings) in stored.mappings ?? [:] {
      roleMappings[provider.text] = try RoleMapping(settings)
    }
    principalTagMaps = NameMap(
      (stored.tagMaps ?? [:]).mapValues {
        PrincipalTagMap(usesDefaults: $0.usesDefaults ?? false, tags: NameMap($0.tags ?? [:]))
      })
  }
}

/// A pool with what other operations set.
private struct StoredPool: Structure {
  var pool = PoolDescription()
  var roles: [ExactString: String]?
  var mappings: [ExactString: RoleMappingSettings]?
  var tagMaps: [ExactString: TagMap]?

  mutating func members(_ m: inout Members) {
    pool.members(&m)
    m.optional("Roles", &roles, .roles)
    m.optional("RoleMappings", &mappings, .roleMappings)
    m.optional("PrincipalTagMaps", &tagMaps, .init(0...IdentityPool.principalTagMapLimit, keys: .tagKey))
  }

  struct TagMap: Structure {
    var usesDefaults: Bool?
    var tags: [ExactString: String]?

    mutating func members(_ m: inout Members) {
      m.optional("UseDefaults", &usesDefaults)
      m.optional("PrincipalTags", &tags, .principalTags)
    }
  }
}

extension IdentityPool.UserPoolClient {
  /// A client of a request.
  fileprivate init(_ client: PoolSettings.UserPoolClient) throws(IdentityError) {
    // AWS's model has both as optional, but a client without either is useless.
    guard let name = client.provider else {
      throw .parameterMissing("CognitoIdentityProviders.ProviderName")
    }
    guard case .userPool? = LoginProvider(publicName: name) else {
      throw .parameterPattern(
        "CognitoIdentityProviders.ProviderName", pattern: "cognito-idp.REGION.amazonaws.com/POOL")
    }
    guard let clientID = client.clientID else { throw .parameterMissing("CognitoIdentityProviders.ClientId") }
    self.init(providerName: name, clientID: clientID, checksSignIns: client.checksTokens ?? false)
  }

  fileprivate var members: PoolSettings.UserPoolClient {
    .init {
      $0.provider = providerName
      $0.clientID = clientID
      $0.checksTokens = checksSignIns
    }
  }
}

extension RoleMapping {
  /// A mapping of a request.
  ///
  /// - Throws: `parameterRefused` for rules in a mapping of the type Token, or none in one of the type Rules.
  init(_ settings: RoleMappingSettings) throws(IdentityError) {
    let rules = settings.rules?.rules ?? []
    guard (settings.kind == .rules) == !rules.isEmpty else {
      throw .parameterRefused(
        "RoleMappings", rule: "the type Rules needs at least one rule; the type Token allows none")
    }
    self.init(kind: settings.kind, ambiguity: settings.ambiguity ?? .deny, rules: rules)
  }

  /// The mapping in responses.
  var members: RoleMappingSettings {
    RoleMappingSettings {
      $0.kind = kind
      $0.ambiguity = ambiguity
      if !rules.isEmpty { $0.rules = .init { $0.rules = rules } }
    }
  }
}
