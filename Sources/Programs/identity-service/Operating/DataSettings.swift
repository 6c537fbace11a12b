internal import CognitoIdentity
internal import CognitoUserPool
internal import TokenSecurityBase

/// The region, the account and the issuers of a service's data. The first start stores them. Later starts, other
/// nodes and commands take them from the data, and other values are refused.
///
/// A service with another region would refuse all calls for the pools, and make pools that the first service
/// refuses.
struct DataSettings {
  /// The values that flags, the environment or a settings file give; nil for those that they leave open.
  var region: String?
  var account: String?
  var issuer: String?
  var userPoolIssuer: String?
  /// The issuer of a first start that is given none.
  var defaultIssuer = "https://cognito-identity.amazonaws.com"
  /// The issuer of user pools of a first start that is given none; nil for Cognito's own.
  var defaultUserPoolIssuer: String?

  /// The region of a first start that is given none.
  static let defaultRegion = "us-east-1"
  /// The account of a first start that is given none: that of AWS's examples.
  static let defaultAccount = "123456789012"

  /// Stores the settings of a first start, or of data that an earlier version made.
  ///
  /// - Parameter store: the data.
  /// - Returns: the settings of the data.
  /// - Throws: `OperatingError` where the given settings are others; `storeFailed`.
  func establish(in store: any RecordStore) async throws -> StoredSettings {
    let settings = try await store.write { rows throws(IdentityError) in
      let stored = try rows.settings()
      if let stored, stored.userPoolIssuer != nil { return stored }
      var settings: StoredSettings
      if let stored { settings = stored } else { settings = try assumed(rows) }
      settings.userPoolIssuer = issuerOfUserPools(in: settings.region)
      if region == nil || region == settings.region { try rows.put(settings) }
      return settings
    }
    try check(settings)
    return settings
  }

  /// Reads the settings of the data.
  ///
  /// - Parameter store: the data.
  /// - Returns: the settings.
  /// - Throws: `OperatingError` where the given settings are others; `storeFailed`.
  func read(from store: any RecordStore) async throws -> StoredSettings {
    let settings = try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
      var settings: StoredSettings
      if let stored = try rows.settings() { settings = stored } else { settings = try assumed(rows) }
      if settings.userPoolIssuer == nil {
        settings.userPoolIssuer = issuerOfUserPools(in: settings.region)
      }
      return settings
    }
    try check(settings)
    return settings
  }

  /// The settings of data that has none.
  private func assumed(_ rows: ReadTransaction<IdentityError>) throws(IdentityError) -> StoredSettings {
    StoredSettings(
      region: try rows.regionOfRows(given: region) ?? region ?? Self.defaultRegion,
      account: account ?? Self.defaultAccount, issuer: issuer ?? defaultIssuer)
  }

  /// The issuer of user pools of data that has none.
  private func issuerOfUserPools(in region: String) -> String {
    userPoolIssuer ?? defaultUserPoolIssuer ?? "https://\(AWSRegion.userPoolHost(in: region))"
  }

  private func check(_ stored: StoredSettings) throws {
    for (name, given, stored) in [
      ("region", region, stored.region), ("account", account, stored.account),
      ("issuer", issuer, stored.issuer),
      ("user-pool-issuer", userPoolIssuer, stored.userPoolIssuer ?? ""),
    ] {
      guard let given, !given.utf8.elementsEqual(stored.utf8) else { continue }
      throw OperatingError(
        "the data has the \(name) \(stored), and --\(name) is \(given.quoted): the first start decides; leave "
          + "--\(name) out")
    }
  }
}

extension StoredSettings {
  var ofIdentityPools: IdentityPoolService.Settings {
    IdentityPoolService.Settings(region: region, account: account, issuer: issuer)
  }

  var ofUserPools: UserPoolService.Settings {
    var settings = UserPoolService.Settings(region: region, account: account, issuerPrefix: userPoolIssuer)
    // With Cognito's own address, each pool chooses between both of its forms.
    if let userPoolIssuer, userPoolIssuer.isIdentical(to: "https://\(AWSRegion.userPoolHost(in: region))") {
      settings.issuerPrefix = nil
    }
    return settings
  }
}

extension ServiceConfiguration {
  /// The settings of identity pools: those of the data, and those of this process.
  func ofIdentityPools(_ stored: StoredSettings) -> IdentityPoolService.Settings {
    var settings = stored.ofIdentityPools
    settings.sessionRecheck = .seconds(Int64(self.sessionRecheck))
    return settings
  }

  /// The settings of user pools: those of the data, and those of this process.
  func ofUserPools(_ stored: StoredSettings, _ rotation: RotationRule) -> UserPoolService.Settings {
    var settings = stored.ofUserPools
    settings.rotation = rotation
    if self.passwordThreads > 0 { settings.computationThreads = self.passwordThreads }
    settings.waitingComputations = self.passwordWaiting
    return settings
  }
}
