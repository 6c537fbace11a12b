internal import TokenSecurityBase

extension IdentityPool {
  /// Checks that ``checkedDocument()`` succeeds.
  public func check() throws(IdentityError) { _ = try checkedDocument() }

  /// The ``storedDocument``, checked by reading it back.
  ///
  /// - Returns: the pool's JSON.
  /// - Throws: `parameterLength` for a document that is too large; the error of a setting that cannot be read
  ///   back.
  public func checkedDocument() throws(IdentityError) -> [UInt8] {
    let document = storedDocument
    guard document.count <= Self.documentLimit else {
      throw .parameterLength(
        "the pool as JSON, in bytes,", count: document.count, allowed: 2...Self.documentLimit)
    }
    try TextBounds.identityID.check(id, "IdentityPoolId")
    try TextBounds.poolName.check(name, "IdentityPoolName")
    guard try IdentityPool(reading: document).storedDocument == document else {
      throw .parameterRefused("the pool", rule: "not all of its settings can be stored")
    }
    return document
  }
}

extension Identity {
  /// Checks the ids.
  public func check() throws(IdentityError) {
    try TextBounds.identityID.check(id, "IdentityId")
    try TextBounds.identityID.check(poolID, "IdentityPoolId")
    if let mergedInto { try TextBounds.identityID.check(mergedInto, "the identity that it is merged into") }
  }
}

extension LinkedLogin {
  /// Checks the ids and the provider's name.
  public func check() throws(IdentityError) {
    try TextBounds.identityID.check(poolID, "IdentityPoolId")
    try TextBounds.identityID.check(identityID, "IdentityId")
    try StoredText.check(provider, "the login's provider", 1...512)
  }
}

extension PermissionPolicy {
  /// Checks the policies of a role or of an access key: their number, names and size.
  ///
  /// - Parameters:
  ///   - policies: the policies.
  ///   - owner: who has them: `the role` for instance.
  /// - Throws: `parameterLength`, `parameterPattern`, `policyInvalid`; `parameterRefused` for two of one name.
  static func check(_ policies: [PermissionPolicy], of owner: String) throws(IdentityError) {
    let what = "the policies of \(owner)"
    try CountBounds(0...countLimit).check(policies.count, what)
    var names: Set<ExactString> = []
    for policy in policies {
      try policy.check()
      guard names.insert(ExactString(policy.name)).inserted else {
        throw .parameterRefused(what, rule: "two of them are called \(policy.name.quoted)")
      }
    }
    try CountBounds(0...sizeLimit).check(
      policies.reduce(0) { $0 + $1.size }, "\(what) without white space, in characters,")
  }
}

extension StoredRole {
  /// Checks a session's length.
  ///
  /// - Parameters:
  ///   - lifetime: the length.
  ///   - isChained: true where the caller is a session of a role.
  /// - Throws: `parameterRange`.
  func check(_ lifetime: Duration, isChained: Bool = false) throws(IdentityError) {
    let longest = isChained ? min(longestSession, .seconds(3_600)) : longestSession
    guard lifetime <= longest else {
      throw .parameterRange(
        "DurationSeconds", value: lifetime.wholeSeconds, allowed: 900...longest.wholeSeconds)
    }
  }

  func checkLongestSession() throws(IdentityError) {
    guard longestSession.isWholeSeconds else { throw .duration(.fractional) }
    let seconds = longestSession.wholeSeconds
    guard (3_600...43_200).contains(seconds) else {
      throw .parameterRange("MaxSessionDuration", value: seconds, allowed: 3_600...43_200)
    }
  }

  func checkPolicies() throws(IdentityError) {
    try PermissionPolicy.check(policies, of: "the role")
  }

  /// Checks the ARN, the trust policy, the longest session and the permission policies.
  public func check() throws(IdentityError) {
    try StoredText.check(arn, "RoleArn", 20...2_048)
    try checkLongestSession()
    try checkPolicies()
    _ = try TrustPolicy(json: trustPolicy)
    try StoredText.check(trustPolicy, "the trust policy", 2...1 << 20)
  }
}

extension LoginProviderSettings {
  /// Maximum number of client ids of a provider.
  public static let clientLimit = 1_000

  /// Checks the name, the client ids and the key set.
  public func check() throws(IdentityError) {
    try StoredText.check(name, "the provider's name", 1...512)
    try CountBounds(0...Self.clientLimit).check(clientIDs.count, "the client ids")
    for id in clientIDs {
      try StoredText.check(id, "a client id", 1...1_024)
      // The command's lists have one id per line.
      guard !id.utf8.contains(UInt8(ascii: "\n")) else {
        throw .parameterRefused("a client id", rule: "it has a line feed")
      }
    }
    guard let keys else { return }
    try StoredText.check(keys, "the provider's key set", 2...1 << 20)
    do throws(JOSEError) { _ = try JWKSet(json: keys) } catch {
      throw .parameterRefused("the provider's key set", rule: "\(error)")
    }
  }
}

extension StoredSigningKey {
  /// Checks the sizes of the id and the sealed key.
  public func check() throws(IdentityError) {
    try StoredText.check(keyID, "the signing key's id", 1...256)
    try CountBounds(1...65_536).check(sealed.count, "the sealed signing key")
  }
}

extension StoredAccessKey {
  /// Checks the sizes of the id, the note and the sealed secret.
  public func check() throws(IdentityError) {
    try StoredText.check(id, "the access key's id", 1...128)
    try StoredText.check(note, "the note", 0...1_024)
    try CountBounds(1...65_536).check(sealed.count, "the sealed secret")
  }
}

/// A text of a row.
private enum StoredText {
  static func check(_ text: String, _ name: String, _ length: ClosedRange<Int>) throws(IdentityError) {
    try CountBounds(length).check(text.utf8.count, name)
    // Some databases and tools end a text at U+0000.
    guard !text.utf8.contains(0) else { throw .parameterRefused(name, rule: "it has the character U+0000") }
  }
}
