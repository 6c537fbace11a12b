internal import TokenLifetime
internal import TokenSecurityBase

/// The policy of an HTML form that uploads to S3 (Amazon S3, Browser-Based Uploads Using POST): conditions on
/// the form's fields, and an expiration.
public struct PostPolicy: Sendable, Hashable {
  /// One condition.
  public enum Condition: Sendable, Hashable {
    /// The field has this value.
    case equals(field: String, value: String)
    /// The field begins with this prefix; an empty prefix accepts any value.
    case startsWith(field: String, prefix: String)
    /// The number of bytes of the file is in this range.
    case contentLength(ClosedRange<Int>)
  }

  /// When the policy expires.
  public var expiration: Timestamp
  /// The conditions on the form's fields.
  public var conditions: [Condition]

  /// Creates a policy. Signing adds the conditions on the fields of the signature.
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
  /// Signs the policy of a form.
  ///
  /// - Parameters:
  ///   - policy: the policy, valid for at most seven days.
  ///   - credentials: the credentials to sign with.
  ///   - date: the date of the signature.
  /// - Returns: the fields to add to the form: `policy`, `x-amz-algorithm`, `x-amz-credential`, `x-amz-date`,
  ///   `x-amz-security-token` for temporary credentials, `x-amz-signature`.
  /// - Throws: `lifetime` when the policy has expired or is valid for too long; `algorithmNotAccepted` for a
  ///   signer of SigV4A; errors of the credentials.
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
