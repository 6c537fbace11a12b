public import AWSNames
internal import TokenSecurityEncodings
public import JOSE

/// An Application Load Balancer of AWS that signs users in and tells its targets who they are
/// (`x-amzn-oidc-data`).
public struct LoadBalancer: Sendable, Hashable {
  /// The load balancer's ARN.
  public let arn: String
  /// Its region, from the ARN.
  public let region: AWSRegion

  /// The load balancer of this ARN. Throws `identifierInvalid` where it is none of an Application Load Balancer.
  public init(arn: String) throws(OpenIDError) {
    func refuse(_ rule: String) -> OpenIDError {
      .identifierInvalid(kind: "load balancer's ARN", value: arn, rule: rule)
    }
    let parts = Self.divided(arn, by: ":")
    guard parts.count == 6, parts[0] == "arn", parts[2] == "elasticloadbalancing" else {
      throw refuse("it is not arn:PARTITION:elasticloadbalancing:REGION:ACCOUNT:loadbalancer/app/NAME/ID")
    }
    guard let region = try? AWSRegion(parts[3]) else { throw refuse("its region is none") }
    guard parts[1] == region.partition.rawValue else { throw refuse("its partition is not its region's") }
    guard parts[4].utf8.count == 12, parts[4].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw refuse("its account is not 12 digits")
    }
    let name = Self.divided(parts[5], by: "/")
    guard name.count == 4, name[0] == "loadbalancer", name[1] == "app", !name[2].isEmpty, !name[3].isEmpty
    else {
      throw refuse("it is not that of an Application Load Balancer")
    }
    self.arn = arn
    self.region = region
  }

  private static func divided(_ text: String, by separator: Unicode.Scalar) -> [String] {
    text.utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Where the load balancer's region keeps its keys, each under its name.
  public var keysAddress: String {
    switch region.partition {
    case .govCloud:
      "https://s3-\(region).amazonaws.com/aws-elb-public-keys-prod-\(region)/"
    case .commercial, .china: "https://public-keys.auth.elb.\(region).\(region.partition.domain)/"
    }
  }

  /// What is demanded of the tokens.
  ///
  /// - Parameters:
  ///   - clientID: the client id that the load balancer has at the provider.
  ///   - issuer: the provider, where it matters.
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

  // The header is signed as well, and it is there that the load balancer tells who it is.
  private static func parameter(_ name: String, _ wanted: Expectation<String>) -> TokenCheck {
    TokenCheck(
      name, reference: nil, expected: wanted.demand, isCheckedFirst: true,
      actual: { _, header in header[name]?.string?.quoted ?? "absent" },
      refusal: { _, header, _ in
        let found = header[name]?.string
        switch wanted {
        case .unchecked: return nil
        case .absent:
          return header[name] == nil
            ? nil : ClaimError.profileMismatch(name: name, actual: found, expected: []).refusal
        case .oneOf(let values):
          return found.map { values.contains($0) } == true
            ? nil : ClaimError.profileMismatch(name: name, actual: found, expected: values).refusal
        }
      })
  }

  private static let expiration = TokenCheck(
    "header exp", reference: nil, expected: "in the future, if there is one",
    refusal: { _, header, now in
      guard let value = header["exp"] else { return nil }
      guard let date = value.number.flatMap(NumericDate.init) else {
        return ClaimError.claimInvalid(name: "exp", rule: "of the header must be a time").refusal
      }
      guard now < date else {
        let error = JOSEError.expired(at: date, now: now)
        return CheckRefusal(code: error.codeText, message: "\(error)")
      }
      return nil
    })
}
