internal import HTTPExchange
internal import TokenSecurityBase

/// The addresses of identity pools and STS: AWS's endpoints of a region, or another service's.
public struct IdentityEndpoint: Sendable, Hashable {
  /// The region.
  public let region: String
  /// The address of `cognito-identity`, without a trailing slash.
  public let identity: String
  /// The address of STS, without a trailing slash.
  public let tokens: String

  /// AWS's endpoints of a region.
  ///
  /// - Parameter region: the region, such as `eu-west-1`.
  /// - Throws: `configurationInvalid` for a malformed region.
  public init(region: String) throws(IdentityClientError) {
    let checked = try Self.checked(region)
    self.region = region
    identity = "https://\(checked.host(of: "cognito-identity"))"
    tokens = "https://\(checked.host(of: "sts"))"
  }

  /// One address for both, as for `identity-service`.
  ///
  /// - Parameters:
  ///   - address: `https://HOST` or `https://HOST:PORT`. `http://` is accepted for `127.0.0.1`, `[::1]` and
  ///     `localhost` only.
  ///   - region: the region in signatures and pool ids.
  /// - Throws: `configurationInvalid`.
  public init(address: String, region: String) throws(IdentityClientError) {
    if let rule = HTTPURL.brokenRule(ofEndpoint: address) { throw .configurationInvalid(rule: rule) }
    _ = try Self.checked(region)
    self.region = region
    identity = address
    tokens = address
  }

  private static func checked(_ region: String) throws(IdentityClientError) -> AWSRegion {
    do { return try AWSRegion(region) } catch { throw .configurationInvalid(rule: "\(error)") }
  }

  /// The host of an address, with its port.
  package static func host(_ address: String) -> String {
    address.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(address[$0...].dropFirst(2)) } ?? address
  }
}
