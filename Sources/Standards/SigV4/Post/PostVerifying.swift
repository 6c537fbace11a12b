public import TokenSecurityBase

/// A form that passed all checks but the signature.
public struct PendingPost: Sendable {
  let fields: [ExactString: String]
  let policyText: String
  let policy: PostPolicy
  let signature: SignatureBytes
  let credential: CredentialParameter
  let now: Timestamp
  /// The access key ID.
  public var accessKeyID: String { credential.accessKeyID }
  /// The scope of the signing key.
  public var scope: CredentialScope { credential.scope }
  /// The date of the signature.
  public let date: Timestamp
}

/// A form with a verified signature whose fields meet its policy.
public struct VerifiedPost: Sendable {
  /// The access key ID of the signer.
  public let accessKeyID: String
  /// The signed policy.
  public let policy: PostPolicy
  /// The form's fields by their lower-case names.
  public let fields: [ExactString: String]
}

extension RequestVerifier {
  /// Maximum number of fields in a form.
  private static let mostFields = 1_024

  /// The first step for a form: checks policy, scope, time, and the conditions on the fields. It needs no
  /// key.
  ///
  /// - Parameters:
  ///   - fields: all fields before the file, including `bucket`, from the form or from the host.
  ///   - contentLength: the number of bytes of the file.
  ///   - now: the current time.
  /// - Returns: the form, ready to look up a key.
  /// - Throws: the first rule that the form breaks.
  public func parsePost(
    _ fields: [(name: String, value: String)], contentLength: Int, at now: Timestamp = .now
  ) throws(SigV4Error) -> PendingPost {
    let now = now.signingSecond
    guard fields.count <= Self.mostFields else { throw .policyMalformed("the form has too many fields") }
    var known: [ExactString: String] = [:]
    for (name, value) in fields {
      let name = name.lowercasedASCII
      guard known.updateValue(value, forKey: ExactString(name)) == nil else { throw .parameterRepeated(name) }
    }
    func required(_ name: ExactString) throws(SigV4Error) -> String {
      guard let value = known[name] else { throw .parameterMissing(name.text) }
      return value
    }
    if known["x-amz-algorithm"] == nil, known["awsaccesskeyid"] != nil, known["signature"] != nil {
      throw .signatureVersion2(in: "the form")
    }
    let text = try required("policy")
    let policy = try PostPolicy(base64: text)
    let name = try required("x-amz-algorithm")
    guard let algorithm = SigningAlgorithm(name: name), algorithm == .hmacSHA256 else {
      throw .algorithmUnknown(name)
    }
    guard accepted.hmac else { throw .algorithmNotAccepted(algorithm) }
    let credential = try CredentialParameter(Array(required("x-amz-credential").utf8), algorithm)
    let scope = credential.scope
    let date = try Timestamp(amzDate: required("x-amz-date"))
    guard scope.service == self.policy.service else {
      throw .wrongService(actual: scope.service, expected: self.policy.service)
    }
    guard scope.region == self.policy.region else {
      throw .wrongRegion(actual: scope.region ?? "", expected: self.policy.region)
    }
    guard scope.day.utf8.elementsEqual(date.amzDay) else {
      throw .scopeDateMismatch(scope: scope.day, date: date)
    }
    guard date <= now.advanced(bySeconds: accepted.skew) else {
      throw .requestFromFuture(date: date, now: now)
    }
    guard now < policy.expiration else { throw .policyExpired(at: policy.expiration.amzDate, now: now) }
    try policy.check(known, contentLength)
    return PendingPost(
      fields: known, policyText: text, policy: policy,
      signature: try SignatureBytes(hex: Array(required("x-amz-signature").utf8), algorithm),
      credential: credential, now: now, date: date)
  }

  /// The second step: verifies the signature of the policy.
  ///
  /// - Parameters:
  ///   - pending: the form.
  ///   - key: the key of the form's access key ID; nil for an unknown ID.
  /// - Returns: the verified form.
  /// - Throws: `signatureMismatch`, `accessKeyUnknown`; errors of the key or the credentials.
  public func verify(_ pending: PendingPost, key: VerificationKey?) throws(SigV4Error) -> VerifiedPost {
    let checking = try checkingKey(
      key, algorithm: .hmacSHA256, pending.credential, date: pending.date)
    let matches = try checking.check(pending.signature, over: pending.policyText.utf8.span)
    let token = pending.fields["x-amz-security-token"]
    guard let key else { throw Self.unknown(pending.accessKeyID, sentToken: token) }
    guard matches else { throw .signatureMismatch }
    try Self.checkToken(token, key, at: pending.now)
    return VerifiedPost(accessKeyID: pending.accessKeyID, policy: pending.policy, fields: pending.fields)
  }
}

extension PostPolicy {
  /// Parses a policy: base64 of a JSON object.
  ///
  /// - Throws: `policyMalformed`.
  public init(base64 text: String) throws(SigV4Error) {
    guard text.utf8.count <= 65_536, let bytes = try? Base64.decode(text),
      let object = try? JSONValue(parsing: bytes).object
    else { throw .policyMalformed("it is not base64 of one JSON object") }
    guard let time = object["expiration"]?.string, let expiration = Timestamp(iso8601: time) else {
      throw .policyMalformed("expiration is missing or not a date")
    }
    guard let list = object["conditions"]?.array, list.count <= 256 else {
      throw .policyMalformed("conditions are missing, or too many")
    }
    var conditions: [Condition] = []
    for entry in list {
      guard let condition = Condition(entry) else {
        throw .policyMalformed("a condition has an unknown form")
      }
      conditions.append(condition)
    }
    self.init(expiration: expiration, conditions: conditions)
  }

  /// Fields that no condition needs to cover.
  private static let free: Set<ExactString> = [
    "policy", "x-amz-signature", "file", "awsaccesskeyid", "signature",
  ]

  func check(_ fields: [ExactString: String], _ contentLength: Int) throws(SigV4Error) {
    var covered = Self.free
    for condition in conditions {
      switch condition {
      case .equals(let field, let value):
        let name = ExactString(field.lowercasedASCII)
        covered.insert(name)
        guard fields[name] == value else {
          throw .policyCondition("\(field.quoted) is not \(value.quoted)")
        }
      case .startsWith(let field, let prefix):
        let name = ExactString(field.lowercasedASCII)
        covered.insert(name)
        guard prefix.isEmpty || fields[name]?.hasPrefix(prefix) == true else {
          throw .policyCondition("\(field.quoted) does not begin with \(prefix.quoted)")
        }
      case .contentLength(let range):
        guard range.contains(contentLength) else {
          throw .policyCondition("\(contentLength) bytes are not \(range.lowerBound) to \(range.upperBound)")
        }
      }
    }
    for name in fields.keys.sorted() where !covered.contains(name) && !name.text.hasPrefix("x-ignore-") {
      throw .policyCondition("no condition covers the field \(name.text.quoted)")
    }
  }
}

extension PostPolicy.Condition {
  fileprivate init?(_ value: JSONValue) {
    if let object = value.object {
      guard object.members.count == 1, let member = object.members.first, let text = member.value.string
      else {
        return nil
      }
      self = .equals(field: member.name, value: text)
      return
    }
    guard let parts = value.array, parts.count == 3, let name = parts[0].string?.lowercasedASCII else {
      return nil
    }
    if name == "content-length-range" {
      guard let low = Self.number(parts[1]), let high = Self.number(parts[2]), low >= 0, low <= high else {
        return nil
      }
      self = .contentLength(low...high)
      return
    }
    guard let field = parts[1].string, field.hasPrefix("$"), let text = parts[2].string else { return nil }
    switch name {
    case "eq": self = .equals(field: String(field.dropFirst()), value: text)
    case "starts-with": self = .startsWith(field: String(field.dropFirst()), prefix: text)
    default: return nil
    }
  }

  // Clients also send numbers as strings.
  private static func number(_ value: JSONValue) -> Int? {
    (value.string ?? value.number?.description).flatMap { Int($0) }
  }
}
