internal import AWSNames
internal import HTTPExchange
internal import TokenSecurityEncodings

/// Where identity pools and STS are: AWS's endpoints of a region, or one's own.
public struct IdentityEndpoint: Sendable, Hashable {
  /// The region.
  public let region: String
  /// `https://…` for `cognito-identity`, without a slash at the end.
  public let identity: String
  /// `https://…` for STS, without a slash at the end.
  public let tokens: String

  /// AWS's own endpoints of a region.
  ///
  /// - Throws: `configurationInvalid` where it is none.
  public init(region: String) throws(IdentityClientError) {
    let domain = try Self.checked(region).partition.domain
    self.region = region
    identity = "https://cognito-identity.\(region).\(domain)"
    tokens = "https://sts.\(region).\(domain)"
  }

  /// One address for both, like `identity-service`'s.
  ///
  /// - Parameters:
  ///   - address: `https://HOST` or `https://HOST:PORT`, in small letters up to the host. `http://` is for `127.0.0.1`,
  ///     `[::1]` and `localhost` alone.
  ///   - region: the region, which signatures and pool ids have in them.
  /// - Throws: `configurationInvalid`.
  public init(address: String, region: String) throws(IdentityClientError) {
    guard let url = HTTPURL(endpoint: address) else {
      throw .configurationInvalid(
        rule: "the endpoint \(address.quoted) is not https://, a host and perhaps a port, and nothing else")
    }
    guard url.isSecure || url.isLoopbackEndpoint else {
      throw .configurationInvalid(
        rule: "the endpoint \(address.quoted) must be https://; http:// is for 127.0.0.1, [::1] and localhost"
      )
    }
    _ = try Self.checked(region)
    self.region = region
    identity = address
    tokens = address
  }

  private static func checked(_ region: String) throws(IdentityClientError) -> AWSRegion {
    do { return try AWSRegion(region) } catch { throw .configurationInvalid(rule: "\(error)") }
  }

  /// The host of an address, with its port.
  static func host(_ address: String) -> String {
    address.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(address[$0...].dropFirst(2)) } ?? address
  }
}
