package import Records
internal import TokenSecurityBase

/// The settings that belong to the data: ids begin with the region, ARNs have the account, and tokens have
/// the issuer. The first start stores them, and they do not change.
package struct StoredSettings: StoredFields, Hashable {
  package private(set) var region: String
  package private(set) var account: String
  package private(set) var issuer: String
  /// The issuer of user pools without the pool's id; nil for data of an earlier version.
  package var userPoolIssuer: String?

  package init(region: String, account: String, issuer: String, userPoolIssuer: String? = nil) {
    self.region = region
    self.account = account
    self.issuer = issuer
    self.userPoolIssuer = userPoolIssuer
  }

  package init() { self.init(region: "", account: "", issuer: "") }

  package mutating func fields(_ f: inout RowFields) {
    f.text("region", &region)
    f.text("account", &account)
    f.text("issuer", &issuer)
    f.optional("userPoolIssuer", &userPoolIssuer)
  }
}

extension ReadTransaction<IdentityError> {
  /// Returns the settings of the data; nil before the first start, and for data of an earlier version.
  ///
  /// - Returns: the settings.
  /// - Throws: `storeFailed`, also for a row that cannot be read.
  package func settings() throws(IdentityError) -> StoredSettings? {
    if let stored = try get(IdentityTables.settings, IdentityTables.settingsKey) { return stored }
    guard try !contains(IdentityTables.settings, IdentityTables.settingsKey) else {
      throw .storeFailed("the stored settings of the service cannot be read")
    }
    return nil
  }

  /// Returns the region of data without stored settings: that of its pools, and of its signing keys where
  /// there is no pool, or pools of several regions.
  ///
  /// - Parameter region: the region that is given. It is right where a pool has it.
  /// - Returns: the region; nil for data without pools and signing keys.
  /// - Throws: `storeFailed`.
  package func regionOfRows(given region: String?) throws(IdentityError) -> String? {
    if let region, try hasPools(in: region) { return region }
    let pool = try pools(after: nil, limit: 1).first
    // A key's id is the region, a hyphen and twelve characters.
    let signing = try signingKeys().last.flatMap { key in
      key.keyID.utf8.count > 13 ? String(Substring(key.keyID.utf8.dropLast(13))) : nil
    }
    guard let pool else { return signing }
    if let signing, try hasPools(in: signing) { return signing }
    return String(Substring(pool.id.utf8.prefix { $0 != UInt8(ascii: ":") }))
  }

  /// Ids are ordered, so that those of a region follow its name and a colon.
  private func hasPools(in region: String) throws(IdentityError) -> Bool {
    try pools(after: region + ":", limit: 1).first?.id.utf8.starts(with: "\(region):".utf8) == true
  }
}

extension WriteTransaction<IdentityError> {
  /// Stores the settings of the data.
  ///
  /// - Parameter settings: the settings.
  /// - Throws: `storeFailed`.
  package func put(_ settings: StoredSettings) throws(IdentityError) {
    try put(settings, in: IdentityTables.settings)
  }
}
