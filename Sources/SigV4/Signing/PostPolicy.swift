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
  public var expiration: AmzDate
  /// What the form must meet.
  public var conditions: [Condition]

  /// A policy of its parts. The conditions on the fields of the signature are added when it is signed.
  public init(expiration: AmzDate, conditions: [Condition]) {
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
    _ policy: PostPolicy, with credentials: Credentials, at date: AmzDate = .now
  ) throws(SigV4Error) -> [(name: String, value: String)] {
    try credentials.check(at: date)
    guard algorithm == .hmacSHA256 else { throw .algorithmNotAccepted(algorithm) }
    do {
      _ = try LifetimeRule.presignedURL.judge(
        requested: .seconds(policy.expiration.seconds - date.seconds))
    } catch {
      throw .lifetime(error)
    }
    let key = try cache.hmacKey(credentials, date: date, region: regions[0], service: service)
    var fields = [
      ("x-amz-algorithm", algorithm.name),
      ("x-amz-credential", "\(credentials.accessKeyID)/\(key.scope)"),
      ("x-amz-date", date.description),
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

extension AmzDate {
  /// `2015-12-30T12:00:00.000Z`.
  var iso8601: String {
    let text = bytes
    func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    return
      "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15)).000Z"
  }

  /// Reads `2015-12-30T12:00:00Z`, with or without a fraction, which is dropped.
  init?(iso8601 text: String) {
    var bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 30, bytes.last == UInt8(ascii: "Z"),
      bytes[4] == UInt8(ascii: "-"),
      bytes[7] == UInt8(ascii: "-"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":")
    else { return nil }
    let fraction = bytes[19..<bytes.count - 1]
    guard
      fraction.isEmpty
        || fraction.count > 1 && fraction.first == UInt8(ascii: ".")
          && fraction.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    bytes.removeSubrange(19..<bytes.count - 1)
    guard let date = AmzDate.read(bytes.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }) else {
      return nil
    }
    self = date
  }
}
