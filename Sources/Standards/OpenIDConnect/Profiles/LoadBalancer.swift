public import JOSE
public import TokenSecurityBase

/// An AWS Application Load Balancer that signs users in and sends their claims to its targets
/// (`x-amzn-oidc-data`).
public struct LoadBalancer: Sendable, Hashable {
  /// The load balancer's ARN.
  public let arn: String
  /// The region, from the ARN.
  public let region: AWSRegion

  /// Parses an ARN. Throws `identifierInvalid` if it is not that of an Application Load Balancer.
  public init(arn: String) throws(OpenIDError) {
    func refuse(_ rule: String) -> OpenIDError {
      .identifierInvalid(kind: "load balancer's ARN", value: arn, rule: rule)
    }
    let parts = arn.parts(at: ":")
    guard parts.count == 6, parts[0] == "arn", parts[2] == "elasticloadbalancing" else {
      throw refuse("it is not arn:PARTITION:elasticloadbalancing:REGION:ACCOUNT:loadbalancer/app/NAME/ID")
    }
    guard let region = try? AWSRegion(parts[3]) else { throw refuse("its region is invalid") }
    guard parts[1] == region.partition.rawValue else { throw refuse("its partition is not its region's") }
    guard parts[4].isDigits(count: 12) else {
      throw refuse("its account is not 12 digits")
    }
    let name = parts[5].parts(at: "/")
    guard name.count == 4, name[0] == "loadbalancer", name[1] == "app", !name[2].isEmpty, !name[3].isEmpty
    else {
      throw refuse("it is not that of an Application Load Balancer")
    }
    self.arn = arn
    self.region = region
  }

  /// The base URL of the region's keys. Each key is at this URL with its key id appended.
  public var keysAddress: String {
    switch region.partition {
    case .govCloud:
      "https://s3-\(region).amazonaws.com/aws-elb-public-keys-prod-\(region)/"
    case .commercial, .china: "https://public-keys.auth.elb.\(region).\(region.partition.domain)/"
    }
  }

  /// The policy for the load balancer's tokens.
  ///
  /// - Parameters:
  ///   - clientID: the client id of the load balancer at the provider.
  ///   - issuer: the expected provider.
  /// - Returns: the policy.
  public func policy(clientID: Expectation<String>, issuer: Expectation<String>) -> TokenPolicy {
    var policy = TokenPolicy(
      issuer: issuer, audience: .unchecked(because: "the header has the client"), algorithms: [.es256])
    policy.signature.acceptsPadding = true
    policy.requiredClaims = ["sub"]
    policy.checks = [
      Self.parameter("signer", .exactly(arn)), Self.parameter("client", clientID), Self.expiration,
    ]
    return policy
  }

  // The load balancer and its client are in the header, which is signed as well.
  private static func parameter(_ name: String, _ expected: Expectation<String>) -> TokenCheck {
    TokenCheck(
      name, reference: nil, expected: expected.inWords, isCheckedFirst: true,
      actual: { _, header in header[name]?.string?.quoted ?? "absent" },
      refusal: { _, header, _ in
        expected.accepts(header[name])
          ? nil
          : ClaimError.profileMismatch(
            name: name, actual: header[name]?.string, expected: expected.values
          ).refusal
      })
  }

  private static let expiration = TokenCheck(
    "header exp", reference: nil, expected: "in the future, if there is one",
    refusal: { _, header, now in
      guard let value = header["exp"] else { return nil }
      guard let date = value.number.flatMap(NumericDate.init) else {
        return ClaimError.claimInvalid(name: "exp", rule: "of the header must be a time").refusal
      }
      return now < date ? nil : JOSEError.expired(at: date, now: now).refusal
    })
}
