internal import SigV4
internal import Synchronization
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Verifying requests like a server.
@Suite struct VerifierTests {
  private func signed(_ target: String = "/orders", at date: Timestamp = Material.now, token: String? = nil)
    throws
    -> RequestHead
  {
    try Material.signer().sign(
      Material.head("GET", target), with: Material.credentials(token: token), at: date
    ).head
  }

  @Test func skewIsFifteenMinutesEitherWay() throws {
    let verifier = try Material.verifier()
    let head = try signed()
    for (seconds, code) in [
      (-901, .requestFromFuture), (-900, nil), (0, nil), (900, nil), (901, .requestExpired),
    ] as [(Int64, SigV4Error.Code?)] {
      let now = Material.now.advanced(bySeconds: seconds)
      #expect(Material.code { _ = try verifier.parse(head, at: now) } == code)
    }
  }

  @Test func presignedHoldsUntilItsEnd() throws {
    let verifier = try Material.verifier()
    let credentials = try Material.credentials()
    let head = try Material.signer().presign(
      Material.head(), expiresIn: .seconds(60), with: credentials, at: Material.now
    ).head
    for (seconds, code) in [(-901, .requestFromFuture), (-900, nil), (60, nil), (61, .presignedExpired)]
      as [(Int64, SigV4Error.Code?)]
    {
      let now = Material.now.advanced(bySeconds: seconds)
      #expect(Material.code { _ = try verifier.parse(head, at: now) } == code)
    }
    var policy = Material.policy()
    policy.longestExpiry = .seconds(59)
    let strict = try RequestVerifier(policy: policy)
    #expect(Material.code { _ = try strict.parse(head, at: Material.now) } == .lifetime)
    policy.placements = [.header]
    let headersOnly = try RequestVerifier(policy: policy)
    #expect(Material.code { _ = try headersOnly.parse(head, at: Material.now) } == .placementNotAccepted)
    for seconds in [Int64.min, -1, 0, 604_801, .max] {
      #expect(
        Material.code {
          _ = try Material.signer().presign(
            Material.head(), expiresIn: .seconds(seconds), with: credentials, at: Material.now)
        } == .lifetime)
    }
  }

  @Test func anUnknownKeyAndAWrongOneHaveOneAnswer() throws {
    let verifier = try Material.verifier()
    let pending = try verifier.parse(signed(), at: Material.now)
    let wrong = VerificationKey.credentials(try Material.credentials(secret: "another"))
    #expect(throws: SigV4Error.signatureMismatch) { try verifier.verify(pending, key: wrong, body: []) }
    #expect(throws: SigV4Error.accessKeyUnknown("AKIDEXAMPLE")) {
      try verifier.verify(pending, key: nil, body: [])
    }
    #expect(SigV4Error.signatureMismatch.response == SigV4Error.accessKeyUnknown("x").response)
    #expect(SigV4Error.signatureMismatch.response == SigV4Error.payloadHashMismatch.response)
    #expect(SigV4Error.signatureMismatch.response.status == 403)
    // Another user's key does not verify this ID.
    let other = VerificationKey.credentials(try Material.credentials("AKIDOTHER"))
    #expect(throws: SigV4Error.accessKeyUnknown("AKIDEXAMPLE")) {
      try verifier.verify(pending, key: other, body: [])
    }
  }

  @Test func endedCredentials() throws {
    let ended = try Material.credentials(expiration: Material.now)
    #expect(
      Material.code { _ = try Material.signer().sign(Material.head(), with: ended, at: Material.now) }
        == .credentialsExpired)
    let verifier = try Material.verifier()
    let pending = try verifier.parse(signed(), at: Material.now)
    #expect(
      Material.code { _ = try verifier.verify(pending, key: .credentials(ended), body: []) }
        == .credentialsExpired)
    // Only a request with a valid signature gets this error.
    let wrong = try Material.credentials(secret: "another", expiration: Material.now)
    #expect(
      Material.code { _ = try verifier.verify(pending, key: .credentials(wrong), body: []) }
        == .signatureMismatch)
  }

  @Test func aKeyOfTheDayIsEnough() throws {
    let credentials = try Material.credentials()
    let key = try ScopedSigningKey(
      credentials, date: Material.now, region: "us-east-1", service: "execute-api")
    let stored = key.withStoredBytes { SecretBytes($0) }
    let again = try ScopedSigningKey(storedBytes: stored, accessKeyID: key.accessKeyID, scope: key.scope)
    let head = try Material.signer().sign(
      Material.head(), with: again, sessionToken: "token", at: Material.now
    ).head
    #expect(head["x-amz-security-token"] == "token")
    let verifier = try Material.verifier()
    let pending = try verifier.parse(head, at: Material.now)
    #expect(try verifier.verify(pending, key: .scoped(key), body: []).sessionToken == "token")

    let yesterday = try ScopedSigningKey(
      credentials, date: Material.now.advanced(bySeconds: -86_400), region: "us-east-1",
      service: "execute-api")
    #expect(
      Material.code { _ = try verifier.verify(pending, key: .scoped(yesterday), body: []) }
        == .signingKeyScope)
    #expect(
      Material.code { _ = try Material.signer().sign(Material.head(), with: yesterday, at: Material.now) }
        == .signingKeyScope)
    #expect(
      Material.code {
        _ = try ScopedSigningKey(
          storedBytes: SecretBytes("short".utf8.span), accessKeyID: "A", scope: key.scope)
      } == .signingKeyLength)
    let publicKey = try ECDSASigningKey(credentials).publicKey
    #expect(
      Material.code { _ = try verifier.verify(pending, key: .publicKey(publicKey), body: []) }
        == .keyAlgorithm)
  }

  @Test(arguments: [
    ("us-east-1", "us-east-1", true), ("*", "eu-west-1", true), ("us-*", "us-east-1", true),
    ("us-*", "eu-west-1", false),
    ("us-west-2", "us-east-1", false), ("eu-west-1,us-east-1", "us-east-1", true),
  ])
  func regionSets(set: String, region: String, reaches: Bool) throws {
    let credentials = try Material.credentials()
    let signer = try Signer(service: "execute-api", regionSet: set.split(separator: ",").map(String.init))
    let head = try signer.sign(Material.head(), with: credentials, at: Material.now).head
    var policy = VerifierPolicy(service: "execute-api", region: region, hosts: .oneOf([Material.host]))
    // By default only SigV4 is accepted.
    let usual = try RequestVerifier(policy: policy)
    #expect(Material.code { _ = try usual.parse(head, at: Material.now) } == .algorithmNotAccepted)
    policy.algorithms = [.ecdsaP256SHA256]
    let verifier = try RequestVerifier(policy: policy)
    #expect(
      Material.code { _ = try verifier.parse(head, at: Material.now) } == (reaches ? nil : .wrongRegion))
    guard reaches else { return }
    let pending = try verifier.parse(head, at: Material.now)
    let key = VerificationKey.publicKey(try ECDSASigningKey(credentials).publicKey)
    _ = try verifier.verify(pending, key: key, body: [])
    let other = VerificationKey.publicKey(
      try ECDSASigningKey(Material.credentials(secret: "another")).publicKey)
    #expect(throws: SigV4Error.signatureMismatch) { try verifier.verify(pending, key: other, body: []) }
    #expect(Material.code { _ = try verifier.verify(pending, key: nil, body: []) } == .accessKeyUnknown)
  }

  /// Non-minimal DER is not a valid ECDSA signature.
  @Test func signaturesThatCouldBeShorter() throws {
    let credentials = try Material.credentials()
    var policy = Material.policy()
    policy.algorithms = [.ecdsaP256SHA256]
    let verifier = try RequestVerifier(policy: policy)
    let key = VerificationKey.publicKey(try ECDSASigningKey(credentials).publicKey)
    let signer = try Signer(service: "execute-api", regionSet: ["*"])
    var signed = try signer.sign(Material.head(), with: credentials, at: Material.now)
    // The longest signatures, one in four, have no space for the byte that is inserted below.
    while signed.signature.utf8.count == 2 * 72 {
      signed = try signer.sign(Material.head(), with: credentials, at: Material.now)
    }
    let der = try Hex.decode(signed.signature)
    // An additional zero before the first number.
    let longer = [0x30, der[1] + 1, 0x02, der[3] + 1, 0x00] + der[4...]
    for (signature, code) in [(der, nil), (longer, .signatureMismatch), (der + [0], .signatureMismatch)]
      as [([UInt8], SigV4Error.Code?)]
    {
      var head = signed.head
      let text = try #require(head["authorization"])
      head.headers[head.headers.count - 1] = HeaderField(
        "Authorization", text.replacing(signed.signature, with: Hex.string(signature)))
      #expect(
        Material.code { _ = try verifier.verify(verifier.parse(head, at: Material.now), key: key, body: []) }
          == code)
    }
  }

  @Test func replaysAreRefused() throws {
    let cache = ReplayCache(capacity: 2)
    let verifier = try RequestVerifier(policy: Material.policy(), replays: cache)
    let key = VerificationKey.credentials(try Material.credentials())
    let first = try verifier.parse(signed(), at: Material.now)
    // A wrong body does not use up the request.
    #expect(Material.code { _ = try verifier.verify(first, key: key, body: [1]) } == .signatureMismatch)
    _ = try verifier.verify(first, key: key, body: [])
    #expect(throws: SigV4Error.replayed) { try verifier.verify(first, key: key, body: []) }
    _ = try verifier.verify(verifier.parse(signed("/b"), at: Material.now), key: key, body: [])
    // Full: no valid entry is removed.
    let third = try signed("/c", at: Material.now.advanced(bySeconds: 800))
    #expect(
      Material.code { _ = try verifier.verify(verifier.parse(third, at: Material.now), key: key, body: []) }
        == .replayed)
    let later = Material.now.advanced(bySeconds: 901)
    _ = try verifier.verify(verifier.parse(third, at: later), key: key, body: [])
    #expect(cache.count == 1)
    let url = try Material.signer().presign(
      Material.head(), expiresIn: .seconds(60), with: Material.credentials(), at: Material.now
    ).head
    for _ in 0..<2 { _ = try verifier.verify(verifier.parse(url, at: Material.now), key: key, body: []) }
    let once = try RequestVerifier(
      policy: Material.policy(), replays: ReplayCache(includesPresigned: true))
    _ = try once.verify(once.parse(url, at: Material.now), key: key, body: [])
    #expect(
      Material.code { _ = try once.verify(once.parse(url, at: Material.now), key: key, body: []) }
        == .replayed)
  }

  /// Anyone can make a second valid signature from an ECDSA signature: it is still the same request.
  @Test func replaysOfECDSAAreRefused() throws {
    let credentials = try Material.credentials()
    var policy = Material.policy()
    policy.algorithms = [.ecdsaP256SHA256]
    let verifier = try RequestVerifier(policy: policy, replays: ReplayCache())
    let signer = try Signer(service: "execute-api", regionSet: ["*"])
    let heads = try (0..<2).map { _ in
      try signer.sign(Material.head(), with: credentials, at: Material.now).head
    }
    #expect(heads[0] != heads[1])
    let key = VerificationKey.credentials(credentials)
    _ = try verifier.verify(verifier.parse(heads[0], at: Material.now), key: key, body: [])
    #expect(
      Material.code {
        _ = try verifier.verify(verifier.parse(heads[1], at: Material.now), key: key, body: [])
      } == .replayed)
  }

  /// Beside a signature of Version 4, which covers them, those of Version 2 are parameters as others.
  @Test(arguments: [false, true]) func parametersOfVersion2(isPresigned: Bool) throws {
    let credentials = try Material.credentials()
    let head = Material.head("GET", "/?AWSAccessKeyId=AKIDOTHER&Signature=x")
    let signer = try Material.signer()
    let signed =
      try isPresigned
      ? signer.presign(head, expiresIn: .seconds(60), with: credentials, at: Material.now).head
      : signer.sign(head, with: credentials, at: Material.now).head
    let verifier = try Material.verifier()
    func code(_ head: RequestHead) -> SigV4Error.Code? {
      Material.code {
        _ = try verifier.verify(
          verifier.parse(head, at: Material.now), key: .credentials(credentials), body: [])
      }
    }
    #expect(code(signed) == nil)
    var changed = signed
    changed.query = Array(String(decoding: signed.query, as: UTF8.self).replacing("=x", with: "=y").utf8)
    #expect(code(changed) == .signatureMismatch)
  }

  @Test func howABodyIsBound() throws {
    let credentials = try Material.credentials()
    let key = VerificationKey.credentials(credentials)
    var policy = Material.policy("s3")
    policy.payloads = [.nothing]
    let verifier = try RequestVerifier(policy: policy)
    let unsigned = try Material.signer("s3").sign(
      Material.head("PUT", "/key"), body: .unsigned, with: credentials, at: Material.now
    ).head
    let pending = try verifier.parse(unsigned, at: Material.now)
    #expect(Material.code { _ = try verifier.verify(pending, key: key, body: []) } == .payloadNotBound)
    #expect(
      Material.code { _ = try verifier.verifyBody(pending, key: key) } == .payloadNotBound)
    let reason = "a virus scanner reads it"
    let unchecked = try verifier.verifyLeavingBodyUnchecked(pending, key: key, because: reason)
    #expect(unchecked.binding.reason == reason)
    #expect(
      Material.code { _ = try Material.verifier("s3").parse(unsigned, at: Material.now) }
        == .payloadNotAccepted)
    // Without a hash in a header, the signature cannot be checked without the body.
    let other = try Material.verifier()
    let undeclared = try other.parse(signed(), at: Material.now)
    #expect(
      Material.code { _ = try other.verifyLeavingBodyUnchecked(undeclared, key: key, because: "") }
        == .payloadHashMissing)
    #expect(
      Material.code {
        _ = try Material.signer("s3").presign(
          Material.head(), expiresIn: .seconds(60), body: .events, with: credentials, at: Material.now)
      } == .payloadNotPresignable)
  }

  @Test func aTokenAfterSigning() throws {
    var policy = Material.policy()
    policy.sessionToken = .addedAfterSigning
    let verifier = try RequestVerifier(policy: policy)
    let credentials = try Material.credentials(token: "token")
    var signer = try Material.signer()
    signer.sessionToken = .addedAfterSigning
    for head in [
      try signer.sign(Material.head(), with: credentials, at: Material.now).head,
      try signer.presign(Material.head(), expiresIn: .seconds(60), with: credentials, at: Material.now).head,
    ] {
      let verified = try verifier.verify(
        verifier.parse(head, at: Material.now), key: .credentials(credentials), body: [])
      #expect(verified.sessionToken == "token")
      let strict = try Material.verifier()
      #expect(
        Material.code {
          _ = try strict.verify(
            strict.parse(head, at: Material.now), key: .credentials(credentials), body: [])
        } == (head.query.isEmpty ? .headerUnsigned : .signatureMismatch))
    }
  }

  @Test(
    arguments: [
      (nil, nil, true), ("a", "a", true), ("a", nil, false), (nil, "a", false), ("a", "b", false),
      ("a", "aa", false),
    ] as [(String?, String?, Bool)])
  func theTokenMustBeTheCredentialsOwn(sent: String?, own: String?, holds: Bool) throws {
    let head = try signed(token: sent)
    let verifier = try Material.verifier()
    let key = VerificationKey.credentials(try Material.credentials(token: own))
    let code = Material.code {
      _ = try verifier.verify(verifier.parse(head, at: Material.now), key: key, body: [])
    }
    #expect(code == (holds ? nil : .sessionTokenMismatch))
    // An unsigned token can be removed.
    var policy = Material.policy()
    policy.sessionToken = .addedAfterSigning
    let lenient = try RequestVerifier(policy: policy)
    var signer = try Material.signer()
    signer.sessionToken = .addedAfterSigning
    let unsigned = try signer.sign(Material.head(), with: Material.credentials(token: sent), at: Material.now)
      .head
    let other = Material.code {
      _ = try lenient.verify(lenient.parse(unsigned, at: Material.now), key: key, body: [])
    }
    #expect(other == (holds ? nil : .sessionTokenMismatch))
  }

  @Test func manyThreadsShareAVerifier() async throws {
    let verifier = try Material.verifier()
    let signer = try Material.signer()
    let credentials = try Material.credentials()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for index in 0..<200 {
            let day = Material.now.advanced(bySeconds: Int64(index % 3) * 86_400)
            let head = try signer.sign(Material.head("GET", "/\(task)/\(index)"), with: credentials, at: day)
              .head
            _ = try verifier.verify(verifier.parse(head, at: day), key: .credentials(credentials), body: [])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(signer.cache.count == 3)
    #expect(verifier.cache.count == 3)
  }
}
