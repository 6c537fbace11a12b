internal import TokenSecurityEncodings
internal import TokenLifetime

/// What a browser may upload to S3 with a form (Amazon S3, Browser-Based Uploads Using POST): conditions on its fields
/// and an instant at which it ends.
public struct PostPolicy: Sendable, Hashable {
  /// One condition.
  public enum Condition: Sendable, Hashable {
    /// The field has this value.
    case equals(field: String, value: String)
    /// The field begins with this; with nothing, it may be anything.
    case startsWith(field: String, prefix: String)
    /// The file has so many bytes.
    case contentLength(ClosedRange<Int>)
  }

  /// When the form ends.
  public var expiration: Timestamp
  /// What the form must meet.
  public var conditions: [Condition]

  /// A policy of its parts. The conditions on the fields of the signature are added when it is signed.
  public init(expiration: Timestamp, conditions: [Condition]) {
    self.expiration = expiration
    self.conditions = conditions
  }

  /// The policy as JSON.
  var json: [UInt8] {
    let conditions = conditions.map { condition -> JSONValue in
      switch condition {
      case .equals(let field, let value): .object([field: .string(value)])
      case .startsWith(let field, let prefix): .array(["starts-with", .string("$" + field), .string(prefix)])
      case .contentLength(let range):
        .array([
          "content-length-range", .number(JSONNumber(range.lowerBound)),
          .number(JSONNumber(range.upperBound)),
        ])
      }
    }
    return JSONWriter.write(
      ["expiration": .string(expiration.iso8601), "conditions": .array(conditions)] as JSONObject)
  }
}

extension Signer {
  /// The fields that a form needs besides those that the policy is about: `policy`, `x-amz-algorithm`,
  /// `x-amz-credential`, `x-amz-date`, `x-amz-security-token` for temporary credentials, `x-amz-signature`.
  ///
  /// - Throws: `lifetime` for a policy that holds for more than seven days or not at all; `algorithmNotAccepted` for a
  ///   signer of SigV4A.
  public func sign(
    _ policy: PostPolicy, with credentials: Credentials, at date: Timestamp = .now
  ) throws(SigV4Error) -> [(name: String, value: String)] {
    let date = date.signingSecond
    try credentials.check(at: date)
    guard algorithm == .hmacSHA256 else { throw .algorithmNotAccepted(algorithm) }
    do {
      _ = try LifetimeRule.presignedURL.validate(requested: policy.expiration.signingSecond - date)
    } catch {
      throw .lifetime(error)
    }
    let key = try cache.hmacKey(credentials, date: date, region: regions[0], service: service)
    var fields = [
      ("x-amz-algorithm", algorithm.name),
      ("x-amz-credential", "\(credentials.accessKeyID)/\(key.scope)"),
      ("x-amz-date", date.amzDate),
    ]
    if let token = credentials.sessionToken { fields.append(("x-amz-security-token", token)) }
    var complete = policy
    complete.conditions += fields.map { .equals(field: $0.0, value: $0.1) }
    let text = Base64.string(complete.json)
    let signature = try key.sign(text.utf8.span)
    return [(name: "policy", value: text)] + fields.map { (name: $0.0, value: $0.1) }
      + [(name: "x-amz-signature", value: Hex.string(signature))]
  }
}
