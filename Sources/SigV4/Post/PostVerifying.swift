public import TokenSecurityEncodings

/// A form whose policy was taken apart, and whose signature nobody checked yet.
public struct PendingPost: Sendable {
  let fields: [ExactString: String]
  let policyText: String
  let policy: PostPolicy
  let signature: [UInt8]
  let now: Timestamp
  /// Whose key the form claims to be signed with.
  public let accessKeyID: String
  /// What that key is good for.
  public let scope: CredentialScope
  /// When it was signed.
  public let date: Timestamp
}

/// A form whose signature holds and whose fields meet its policy.
public struct VerifiedPost: Sendable {
  /// Who signed.
  public let accessKeyID: String
  /// What was signed.
  public let policy: PostPolicy
  /// The form's fields, by their names in lower case.
  public let fields: [ExactString: String]
}

extension RequestVerifier {
  /// The most fields of a form.
  private static let mostFields = 1_024

  /// The first step for a form: policy, scope, time, and whether the fields meet the conditions. It needs no key.
  ///
  /// `fields`: all fields before the file; `bucket` must be among them, from the form or from the host.
  /// `contentLength`: the bytes of the file.
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
    let text = try required("policy")
    let policy = try PostPolicy(base64: text)
    let name = try required("x-amz-algorithm")
    guard let algorithm = SigningAlgorithm(name: name), algorithm == .hmacSHA256 else {
      throw .algorithmUnknown(name)
    }
    guard accepted.hmac else { throw .algorithmNotAccepted(algorithm) }
    let (accessKeyID, scope) = try SignatureParameters.credential(
      Array(required("x-amz-credential").utf8), algorithm)
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
      signature: try SignatureParameters.readSignature(Array(required("x-amz-signature").utf8), algorithm),
      now: now,
      accessKeyID: accessKeyID, scope: scope, date: date)
  }

  /// The second step: the signature over the policy.
  ///
  /// - Throws: `signatureMismatch`, `accessKeyUnknown`.
  public func verify(_ pending: PendingPost, key: VerificationKey?) throws(SigV4Error) -> VerifiedPost {
    let checking = try checkingKey(
      key, algorithm: .hmacSHA256, accessKeyID: pending.accessKeyID, scope: pending.scope, date: pending.date)
    let holds = try checking.check(pending.signature, over: pending.policyText.utf8.span)
    guard key != nil else { throw .accessKeyUnknown(pending.accessKeyID) }
    guard holds else { throw .signatureMismatch }
    if case .credentials(let credentials)? = key {
      try credentials.check(sentToken: pending.fields["x-amz-security-token"])
      try credentials.check(at: pending.now)
    }
    return VerifiedPost(accessKeyID: pending.accessKeyID, policy: pending.policy, fields: pending.fields)
  }
}

extension PostPolicy {
  /// Reads a policy: base64 of JSON.
  ///
  /// - Throws: `policyMalformed`.
  public init(base64 text: String) throws(SigV4Error) {
    guard text.utf8.count <= 65_536, let bytes = try? Base64.decode(text),
      let object = try? JSONValue(parsing: bytes).object
    else { throw .policyMalformed("it is not base64 of one JSON object") }
    guard let time = object["expiration"]?.string, let expiration = Timestamp(iso8601: time) else {
      throw .policyMalformed("there is no expiration, or it is no date")
    }
    guard let list = object["conditions"]?.array, list.count <= 256 else {
      throw .policyMalformed("there are no conditions, or too many")
    }
    var conditions: [Condition] = []
    for entry in list {
      guard let condition = Condition(entry) else {
        throw .policyMalformed("a condition is of no known form")
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

  // Numbers come as texts, too.
  private static func number(_ value: JSONValue) -> Int? {
    (value.string ?? value.number?.description).flatMap { Int($0) }
  }
}
