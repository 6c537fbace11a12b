internal import CognitoUserPool
internal import JOSE
internal import SigningKeyTesting
internal import Synchronization
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Where the keys of pools come from, and which of them are refused.
@Suite struct KeyMakerTests {
  private func published(_ f: TokenFixture) async throws -> [JSONObject] {
    let set = try JSONValue(parsing: await f.service.published.keySet(ofPool: f.pool.id)).object
    return (set?["keys"]?.array ?? []).compactMap(\.object)
  }

  private func stored(_ f: TokenFixture) async throws -> [PoolSigningKey] {
    try await f.store.read { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.signingKeys, limit: 100)
    }
  }

  /// The sentence of the error that `body` throws.
  private func sentence(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return ""
    } catch {
      return "\(error)"
    }
  }

  /// libcrypto's keys, without a maker of tests.
  @Test func generatedKeysAreNewAndOfTheirSize() async throws {
    let f = try await TokenFixture(keyMaker: .generating)
    let keys = try await published(f)
    #expect(keys.count == 2)
    for key in keys {
      #expect(key["kty"] == "RSA" && key["alg"] == "RS256" && key["use"] == "sig")
      #expect(key["e"] == "AQAB")
      let modulus = try Base64URL.decode(try #require(key["n"]?.string))
      #expect(modulus.count == 256 && modulus[0] >= 0x80)
    }
    #expect(keys[0]["n"] != keys[1]["n"])
    let spare = try await SigningKeyMaker.generating.key(for: .rs256, isSpare: true)
    #expect(spare.bits == 2_048 && spare.isPrivate)
    #expect(!keys.contains { $0["n"] == spare.publicJWK?["n"] })
  }

  /// A shutdown does not wait for a key, which takes seconds on a busy machine.
  @Test func aCancelledTaskDoesNotWaitForAKey() async throws {
    let (begun, beginning) = AsyncStream<Void>.makeStream()
    let (ended, ending) = AsyncStream<Bool>.makeStream()
    let (never, _held) = AsyncStream<Void>.makeStream()
    let maker = SigningKeyMaker { _ in
      beginning.yield()
      for await _ in never {}
      ending.yield(Task.isCancelled)
      return try VectorKeys.rsa()
    }
    let task = Task { try await maker.key(for: .rs256) }
    for await _ in begun { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // The maker is told.
    for await isCancelled in ended {
      #expect(isCancelled)
      break
    }
    _held.finish()
  }

  /// Unfit keys that a maker may return, and the reasons for their refusal.
  enum Unfit: CaseIterable {
    case curve, algorithm, use, publicKey, sharedSecret, small, large

    func key() throws -> JWK {
      let rsa = try VectorKeys.rsa()
      switch self {
      case .curve: return try JWK.generate(.es256)
      case .algorithm: return try VectorKeys.rsa(for: .rs512)
      case .use: return JWK(material: rsa.material, use: "enc")
      case .publicKey: return try #require(rsa.publicOnly)
      case .sharedSecret: return try JWK.generate(.hs256)
      case .small: return try JWK.generate(.rs256, rsaBits: 1_024)
      case .large: return try Self.large()
      }
    }

    private static func large() throws -> JWK {
      let text = try VectorFile.bytes("\(VectorFile.root)/Vectors/keys/rsa-4104.pem")
      return try KeyFile.pem(SecretBytes(text.span))
    }

    var reason: String {
      switch self {
      case .curve: "ES256"
      case .algorithm: "RS512"
      case .use: "enc"
      case .publicKey: "private"
      case .sharedSecret: "type"
      case .small: "1024"
      case .large: "4104"
      }
    }
  }

  /// The log gets no more than the beginning of an error of a key management service.
  @Test func aLongErrorIsCut() async throws {
    struct Long: Error, CustomStringConvertible {
      let description = "no key: " + String(repeating: "x\n", count: 9_000)
    }
    let f = try await TokenFixture(keyMaker: SigningKeyMaker { _ in throw Long() })
    let sentence = await sentence { _ = try await published(f) }
    #expect(sentence.contains(#"no key: x\u{a}x"#) && sentence.utf8.count < 1_000, "\(sentence)")
  }

  /// They are refused before anything is stored, and the next call gets a good one.
  @Test(arguments: Unfit.allCases) func unfitKeysAreNotStored(_ unfit: Unfit) async throws {
    let isGood = Mutex(false)
    let source = KeySource()
    let f = try await TokenFixture(
      keyMaker: SigningKeyMaker { algorithm in
        guard isGood.withLock({ $0 }) else { return try unfit.key() }
        return try await source.maker.key(for: algorithm)
      })
    #expect(await errorCode { _ = try await published(f) } == "user_pool_crypto_failed")
    let sentence = await sentence { _ = try await published(f) }
    #expect(sentence.contains(unfit.reason), "\(sentence)")
    #expect(try await stored(f).isEmpty)
    isGood.withLock { $0 = true }
    #expect(try await published(f).count == 2)
    #expect(try await f.signIn().refreshToken != nil)
  }

  /// Certificates, operations and names of a key are not published.
  @Test func onlyTheNumbersOfAKeyCount() async throws {
    let certificate = [[1, 2, 3] as [UInt8]]
    let next = Mutex(0)
    let f = try await TokenFixture(
      keyMaker: SigningKeyMaker { _ in
        let number = next.withLock { number in
          number += 1
          return number
        }
        return JWK(
          material: try VectorKeys.rsa(number).material, keyID: "mine", operations: ["sign"],
          certificates: certificate)
      })
    for key in try await published(f) {
      #expect(Set(key.names) == ["kty", "n", "e", "kid", "use", "alg"])
      #expect(key["kid"] != "mine")
      #expect(key["alg"] == "RS256" && key["use"] == "sig")
    }
  }

  @Test func aMakerThatFailsIsAskedAgain() async throws {
    let source = KeySource()
    source.fail(2)
    let f = try await TokenFixture(keyMaker: source.maker)
    #expect(await errorCode { _ = try await published(f) } == "user_pool_crypto_failed")
    let sentence = await sentence { _ = try await published(f) }
    #expect(sentence.contains("no signing key was made: the source is away"), "\(sentence)")
    #expect(try await stored(f).isEmpty)
    #expect(try await published(f).count == 2)
  }

  /// The maintenance's task is cancelled while it waits for a key.
  @Test func aMakerThatIsCancelled() async throws {
    let source = KeySource()
    source.close()
    let f = try await TokenFixture(keyMaker: source.maker)
    let maintenance = Task { try await f.service.maintenance.maintainKeys() }
    try await TokenSecurityTesting.eventually { source.running == 1 }
    maintenance.cancel()
    #expect(try await maintenance.value.failure?.error.codeText == "user_pool_crypto_failed")
    #expect(try await stored(f).isEmpty)
    source.open()
    #expect(try await f.service.maintenance.maintainKeys().changes.count == 2)
  }

  /// A key that the ring has does not sign for another period, and a revoked key does not come back.
  @Test func aKeyIsNotNewTwice() async throws {
    let number = Mutex(0)
    let f = try await TokenFixture(
      keyMaker: SigningKeyMaker { try VectorKeys.rsa(number.withLock { $0 }, for: $0) })
    let ring = try await f.service.keyRings.keys(of: f.pool.id).access
    let before = try await stored(f)
    let keyID = try #require(ring.schedule.first?.keyID)
    #expect(await errorCode { try await ring.rotate() } == "user_pool_crypto_failed")
    #expect(await errorCode { try await ring.revoke(keyID) } == "user_pool_crypto_failed")
    let due = Timestamp.now + .seconds(30 * 86_400)
    #expect(await errorCode { try await ring.maintain(at: due) } == "user_pool_crypto_failed")
    #expect(try await stored(f) == before)
    number.withLock { $0 = 1 }
    try await ring.revoke(keyID)
    #expect(ring.schedule.count == 1)
    #expect(!ring.schedule.contains { $0.keyID == keyID })
  }

  /// The private key of a new key is not read again from the store, and is the same one.
  @Test func newKeysAreThoseOfTheStore() async throws {
    let f = try await TokenFixture()
    let tokens = try await f.signIn()
    let other = try TokenFixture.service(f.store)
    #expect(
      try await other.published.keySet(ofPool: f.pool.id) == f.service.published.keySet(ofPool: f.pool.id))
    #expect(await f.use(tokens.accessToken, by: other) == "")
    let refreshed = try await f.refresh(try #require(tokens.refreshToken), by: other)
    #expect(await f.use(refreshed.accessToken) == "")
  }
}
