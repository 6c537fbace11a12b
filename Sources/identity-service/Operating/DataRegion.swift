internal import CognitoIdentity
internal import TokenSecurityEncodings

/// The region of a service's data: that of the pools' ids.
enum DataRegion {
  /// Checks that the data has this region, or no pool yet.
  ///
  /// A service with another region would refuse all calls for the pools, and make pools that the first
  /// service refuses.
  ///
  /// - Throws: `OperatingError` for data of another region.
  static func check(_ service: IdentityPoolService) async throws {
    let region = service.settings.region
    let other = try await service.store.read { rows throws(IdentityError) -> String? in
      guard let pool = try rows.pools(after: nil, limit: 1).first else { return nil }
      // Ids are ordered, so that those of a region follow its name and a colon.
      let own = try rows.pools(after: region + ":", limit: 1).first
      if let own, own.id.hasPrefix(region + ":") { return nil }
      return pool.id
    }
    guard let other else { return }
    let name = String(Substring(other.utf8.prefix { $0 != UInt8(ascii: ":") }))
    throw OperatingError(
      "the data has pools of the region \(name); the service's region is \(region): use --region \(name)")
  }
}
