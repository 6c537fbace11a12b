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
  public init(region: String) throws(ClientFault) {
    let isPlain = region.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
    }
    guard isPlain, region.split(separator: "-").count >= 3, region.utf8.count <= 32 else {
      throw .configurationInvalid(rule: "\"\(region.prefix(32))\" is no region")
    }
    let suffix = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    self.region = region
    identity = "https://cognito-identity.\(region).\(suffix)"
    tokens = "https://sts.\(region).\(suffix)"
  }

  /// One address for both, like `identity-service`'s: `https://…`, or `http://` for the machine's own addresses.
  ///
  /// - Throws: `configurationInvalid`.
  public init(address: String, region: String) throws(ClientFault) {
    let own = ["http://127.0.0.1", "http://localhost", "http://[::1]"]
    let isOwn = own.contains { address == $0 || address.hasPrefix($0 + ":") }
    guard address.hasPrefix("https://") || isOwn else {
      throw .configurationInvalid(
        rule: "an endpoint must be https://…; http:// is for the machine's own addresses")
    }
    guard !address.hasSuffix("/"), address.split(separator: "/").count == 2,
      address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw .configurationInvalid(rule: "an endpoint is a scheme, a host and perhaps a port, without a path")
    }
    self.region = region
    identity = address
    tokens = address
  }

  /// The host of an address, with its port.
  static func host(_ address: String) -> String {
    address.firstRange(of: "://").map { String(address[$0.upperBound...]) } ?? address
  }
}

/// Whoever can send a request to the endpoint. `CognitoIdentityClientHTTP` has one over async-http-client.
///
/// An implementation must check the server's certificate and name, follow no redirect, and read no more than 256 KiB of an answer.
public protocol IdentityTransport: Sendable {
  /// Sends `request` to `origin`, a scheme and a host.
  ///
  /// - Throws: `unreachable`, `answerMalformed`.
  func send(_ request: HTTPMessage, to origin: String) async throws(ClientFault) -> ServiceAnswer
}
