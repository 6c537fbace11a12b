internal import ServiceOperations
internal import TokenSecurityBase
internal import TokenSecurityCrypto

// Clients as responses have them.

extension AppClients {
  /// The client as `DescribeUserPoolClient` has it, with its secret.
  ///
  /// - Throws: `cryptoFailed` for a secret that cannot be opened.
  package func response(_ client: UserPoolClient) throws(UserPoolError) -> UserPoolClientType {
    let secret: SecretText? =
      if let bytes = try client.secret(secrets) { bytes.withBytes { SecretText($0) } } else { nil }
    return UserPoolClientType {
      $0.userPoolID = client.poolID
      $0.clientName = client.name
      $0.clientID = client.id
      $0.clientSecret = secret
      $0.creationDate = client.created
      $0.lastModifiedDate = client.modified
      $0.settings = client.settingsResponse
    }
  }
}

extension UserPoolClient {
  fileprivate var settingsResponse: UserPoolClientSettings {
    var settings = UserPoolClientSettings.echoed(echoed)
    settings.explicitAuthFlows = flows.map { ExplicitAuthFlowsType.responses($0) ?? [] }
    settings.refreshTokenValidity = refreshLifetime ?? Self.defaultRefresh(refreshUnit)
    settings.accessTokenValidity = accessLifetime
    settings.idTokenValidity = idLifetime
    if accessUnit != nil || idUnit != nil || refreshUnit != nil {
      settings.tokenValidityUnits = TokenValidityUnitsType {
        $0.accessToken = accessUnit.flatMap { TimeUnitsType(rawValue: $0.rawValue) }
        $0.idToken = idUnit.flatMap { TimeUnitsType(rawValue: $0.rawValue) }
        $0.refreshToken = refreshUnit.flatMap { TimeUnitsType(rawValue: $0.rawValue) }
      }
    }
    settings.readAttributes = readAttributes
    settings.writeAttributes = writeAttributes
    settings.preventUserExistenceErrors = preventsExistenceErrors ? .enabled : .legacy
    settings.enableTokenRevocation = isRevocationEnabled
    settings.enablePropagateAdditionalUserContextData = propagatesContext
    settings.authSessionValidity = sessionMinutes
    settings.refreshTokenRotation = rotationGrace.map { seconds in
      RefreshTokenRotationType {
        $0.feature = .enabled
        $0.retryGracePeriodSeconds = seconds
      }
    }
    return settings
  }

  /// 30 days in a unit.
  private static func defaultRefresh(_ unit: LifetimeUnit?) -> Int64 {
    30 * LifetimeUnit.days.seconds / (unit ?? .days).seconds
  }
}
