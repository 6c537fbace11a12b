internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

// The settings of clients that requests set.

extension UserPoolClient {
  /// Replaces the settings that can change. What `settings` does not name gets its default.
  ///
  /// - Throws: `parameterRefused`.
  mutating func replace(by settings: UserPoolClientSettings, in pool: UserPool) throws(UserPoolError) {
    try setFlows(settings.explicitAuthFlows)
    try setLifetimes(settings)
    readAttributes = try Self.attributes(settings.readAttributes, "ReadAttributes", in: pool)
    writeAttributes = try Self.attributes(settings.writeAttributes, "WriteAttributes", in: pool)
    try checkWriteAttributes(pool)
    preventsExistenceErrors = settings.preventUserExistenceErrors == .enabled
    isRevocationEnabled = settings.enableTokenRevocation ?? true
    propagatesContext = settings.enablePropagateAdditionalUserContextData ?? false
    sessionMinutes = settings.authSessionValidity ?? 3
    rotationGrace = nil
    if let rotation = settings.refreshTokenRotation, rotation.feature == .enabled {
      rotationGrace = rotation.retryGracePeriodSeconds ?? 0
    }
    echoed = try UserPoolClientSettings {
      $0.supportedIdentityProviders = settings.supportedIdentityProviders
      $0.callbackURLs = settings.callbackURLs
      $0.logoutURLs = settings.logoutURLs
      $0.defaultRedirectURI = settings.defaultRedirectURI
      $0.allowedOAuthFlows = settings.allowedOAuthFlows
      $0.allowedOAuthScopes = settings.allowedOAuthScopes
      $0.allowedOAuthFlowsUserPoolClient = settings.allowedOAuthFlowsUserPoolClient
      $0.analyticsConfiguration = settings.analyticsConfiguration
    }.echo()
  }

  private mutating func setFlows(_ given: [ExplicitAuthFlowsType]?) throws(UserPoolError) {
    let member = "ExplicitAuthFlows"
    let flows = try AuthFlow.choices(given, member)
    let newer = flows.count { $0.name.hasPrefix("ALLOW_") }
    guard newer == 0 || newer == flows.count else {
      throw .parameterRefused(member, rule: "values with and without ALLOW_ cannot be used together")
    }
    self.flows = flows.isEmpty ? nil : flows
  }

  private mutating func setLifetimes(_ settings: UserPoolClientSettings) throws(UserPoolError) {
    let units = settings.tokenValidityUnits
    accessUnit = units?.accessToken.flatMap { LifetimeUnit(rawValue: $0.rawValue) }
    idUnit = units?.idToken.flatMap { LifetimeUnit(rawValue: $0.rawValue) }
    refreshUnit = units?.refreshToken.flatMap { LifetimeUnit(rawValue: $0.rawValue) }
    accessLifetime = try Self.lifetime(
      settings.accessTokenValidity, accessUnit ?? .hours, "AccessTokenValidity", .userPoolAccessToken)
    idLifetime = try Self.lifetime(
      settings.idTokenValidity, idUnit ?? .hours, "IdTokenValidity", .userPoolIDToken)
    // 0 is the default.
    let refresh = settings.refreshTokenValidity.flatMap { $0 == 0 ? nil : $0 }
    refreshLifetime = try Self.lifetime(
      refresh, refreshUnit ?? .days, "RefreshTokenValidity", .refreshToken)
  }

  private static func lifetime(
    _ count: Int64?, _ unit: LifetimeUnit, _ member: String, _ rule: LifetimeRule
  ) throws(UserPoolError) -> Int64? {
    guard let count else { return nil }
    let range = rule.shortest.wholeSeconds...rule.longest.wholeSeconds
    let (seconds, isOver) = count.multipliedReportingOverflow(by: unit.seconds)
    guard !isOver, range.contains(seconds) else {
      throw .parameterRefused(
        member, rule: "it must be from \(range.lowerBound) to \(range.upperBound) seconds")
    }
    return count
  }

  private static func attributes(
    _ given: [String]?, _ member: String, in pool: UserPool
  ) throws(UserPoolError) -> [String]? {
    // An empty list counts as absent: AWS's SDKs send it for nil.
    guard let given, !given.isEmpty else { return nil }
    let known = Set(pool.allAttributes.map { ExactString($0.fullName) })
    var names: [String] = []
    var seen: Set<ExactString> = []
    for name in given where seen.insert(ExactString(name)).inserted {
      guard known.contains(ExactString(name)) else {
        throw .parameterRefused(member, rule: "the pool has no attribute \(name.quoted)")
      }
      names.append(name)
    }
    return names
  }

  private func checkWriteAttributes(_ pool: UserPool) throws(UserPoolError) {
    guard let writeAttributes else { return }
    let member = "WriteAttributes"
    let names = Set(writeAttributes.map { ExactString($0) })
    for name in ["sub", "email_verified", "phone_number_verified"] where names.contains(ExactString(name)) {
      throw .parameterRefused(member, rule: "users cannot write \(name)")
    }
    for attribute in pool.allAttributes where attribute.isRequired && attribute.name != "sub" {
      guard names.contains(ExactString(attribute.name)) else {
        throw .parameterRefused(member, rule: "the required attribute \(attribute.name) is missing")
      }
    }
  }
}
