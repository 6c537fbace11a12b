internal import HTTPExchange
internal import TokenSecurityBase

/// The address of a user pool's service: AWS's endpoint of a region, or another service's.
public struct UserPoolEndpoint: Sendable, Hashable {
  /// The address, without a trailing slash.
  public let address: String

  /// AWS's endpoint of a region.
  ///
  /// - Parameter region: the region, such as `eu-west-1`.
  /// - Throws: `configurationInvalid` for a malformed region.
  public init(region: String) throws(UserPoolClientError) {
    do { self.init(try AWSRegion(region)) } catch { throw .configurationInvalid(rule: "\(error)") }
  }

  /// The address of a service: another one than AWS, such as `identity-service`, or AWS's endpoint of a region.
  ///
  /// - Parameter address: `https://HOST` or `https://HOST:PORT`. `http://` is accepted for `127.0.0.1`, `[::1]`
  ///   and `localhost` only.
  /// - Throws: `configurationInvalid`.
  public init(address: String) throws(UserPoolClientError) {
    if let rule = HTTPURL.brokenRule(ofEndpoint: address) { throw .configurationInvalid(rule: rule) }
    self.address = address
  }

  init(_ region: AWSRegion) { address = "https://\(AWSRegion.userPoolHost(in: region.description))" }

  /// True for AWS's endpoint of a region.
  var isAWS: Bool {
    guard let url = try? HTTPURL(address), url.isSecure, url.port == 443 else { return false }
    let labels = url.host.parts(at: ".")
    return labels.count > 2 && url.host.isIdentical(to: AWSRegion.userPoolHost(in: labels[1]))
  }
}
