internal import HTTPExchange
internal import TokenSecurityBase

/// The address of Amazon Cognito Sync: AWS's endpoint of a region, or another service's.
public struct SyncEndpoint: Sendable, Hashable {
  /// The region.
  public let region: String
  /// The address without a trailing slash.
  public let address: String

  /// AWS's endpoint of a region.
  ///
  /// - Parameter region: the region, such as `eu-west-1`.
  /// - Throws: `configurationInvalid` for a malformed region.
  public init(region: String) throws(SyncClientError) {
    address = "https://\(try Self.checked(region).host(of: "cognito-sync"))"
    self.region = region
  }

  /// Another address, as of `identity-service`.
  ///
  /// - Parameters:
  ///   - address: `https://HOST` or `https://HOST:PORT`. `http://` is accepted for `127.0.0.1`, `[::1]` and
  ///     `localhost` only.
  ///   - region: the region in signatures.
  /// - Throws: `configurationInvalid`.
  public init(address: String, region: String) throws(SyncClientError) {
    if let rule = HTTPURL.brokenRule(ofEndpoint: address) { throw .configurationInvalid(rule: rule) }
    _ = try Self.checked(region)
    self.region = region
    self.address = address
  }

  private static func checked(_ region: String) throws(SyncClientError) -> AWSRegion {
    do { return try AWSRegion(region) } catch { throw .configurationInvalid(rule: "\(error)") }
  }
}
