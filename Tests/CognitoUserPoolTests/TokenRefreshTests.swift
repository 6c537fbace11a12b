internal import CognitoUserPool
internal import JOSE
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Refresh tokens: what they are good for, and who is refused.
@Suite struct TokenRefreshTests {
  @Test func refreshingKeepsTheSignIn() async throws {
    let f = try await TokenFixture()
    let first = try await f.signIn()
    let token = try #require(first.refreshToken)
    let later = TokenFixture.now + .seconds(600)
    let second = try await f.refresh(token, at: later)
    #expect(second.refreshToken == nil)
    let (a, b) = (try await f.claims(first.accessToken), try await f.claims(second.accessToken, at: later))
    #expect(a["origin_jti"] == b["origin_jti"] && a["auth_time"] == b["auth_time"])
    #expect(a["jti"] != b["jti"] && a["event_id"] != b["event_id"])
    #expect(b["iat"]?.int64 == later.seconds)
    #expect(await f.use(second.accessToken, at: later) == "")
    // Without rotation the same holds for the other operation.
    #expect(try await f.refresh(token, replaces: true, at: later).refreshToken == nil)
    #expect(await errorCode { _ = try await f.refresh(token, at: later) } == "")
  }

  @Test func theStoreHasNoRefreshToken() async throws {
    let f = try await TokenFixture()
    let token = try #require(try await f.signIn().refreshToken)
    // The characters that the operation's bounds allow.
    #expect(token.contains(#/^[A-Za-z0-9_-]{100,2048}$/#))
    let rows = try await f.store.read { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.signIns, limit: 10)
    }
    let row = try #require(rows.first)
    #expect(rows.count == 1 && row.refreshDigest.count == 32)
    let bytes = try Base64URL.decode(token)
    let secret = bytes.suffix(48).prefix(32)
    #expect(row.refreshDigest != Array(secret))
    #expect(row.refreshDigest != (try DigestAlgorithm.sha256.hash(Array(secret).span)))
    // Another master key's digests and tags are others.
    let stranger = try TokenFixture.service(f.store, master: 9)
    #expect(await errorCode { _ = try await f.refresh(token, by: stranger) } == "refresh_token_invalid")
  }

  @Test func changedTokensAreRefused() async throws {
    let f = try await TokenFixture()
    let token = try #require(try await f.signIn().refreshToken)
    var bytes = try Base64URL.decode(token)
    for place in bytes.indices {
      bytes[place] ^= 1
      let changed = Base64URL.string(bytes)
      #expect(await errorCode { _ = try await f.refresh(changed) } == "refresh_token_invalid")
      bytes[place] ^= 1
    }
    for text in ["", "x", token + "A", String(token.dropLast()), String(repeating: "A", count: 100_000)] {
      #expect(await errorCode { _ = try await f.refresh(text) } == "refresh_token_invalid")
    }
    #expect(
      await errorCode { _ = try await f.refresh(try await f.signIn().accessToken) } == "refresh_token_invalid"
    )
  }

  @Test func tokensBelongToClientAndPool() async throws {
    let f = try await TokenFixture()
    let token = try #require(try await f.signIn().refreshToken)
    var other = f.client
    other.id = "client2client2client2client2"
    try await f.put(other)
    #expect(await errorCode { _ = try await f.refresh(token, client: other) } == "refresh_token_invalid")
    let g = try await TokenFixture { pool, _, _ in pool.id = "us-east-1_Tokens002" }
    #expect(await errorCode { _ = try await g.refresh(token) } == "refresh_token_invalid")
  }

  @Test func usersWhoAreGoneAreRefused() async throws {
    let f = try await TokenFixture()
    let token = try #require(try await f.signIn().refreshToken)
    var user = f.user
    user.isEnabled = false
    try await f.put(user)
    #expect(await errorCode { _ = try await f.refresh(token) } == "user_disabled")
    user.isEnabled = true
    user.sub = "11111111-5b7f-4c39-9a84-2f6be1d07c53"
    try await f.put(user)
    #expect(await errorCode { _ = try await f.refresh(token) } == "user_unknown")
  }

  @Test func tokensBelongToTheirDevice() async throws {
    let f = try await TokenFixture { pool, _, _ in pool.devices = DeviceRule() }
    let key = "us-east-1_f0000000-0000-4000-8000-000000000001"
    try await f.putDevice(key, isConfirmed: false)
    let token = try #require(try await f.signIn(device: key).refreshToken)
    func refresh(_ device: String?) async -> String {
      await errorCode { _ = try await f.refresh(token, device: device) }
    }
    #expect(await refresh(key) == "refresh_token_invalid")
    try await f.putDevice(key, isConfirmed: true)
    #expect(await refresh(key) == "")
    #expect(await refresh(nil) == "refresh_token_invalid")
    #expect(await refresh("us-east-1_f0000000-0000-4000-8000-000000000002") == "refresh_token_invalid")
    let row = RecordKey(f.pool.id, f.user.sub, key)
    try await f.store.write { rows throws(UserPoolError) in
      try rows.delete(row, from: UserPoolTables.devices)
    }
    #expect(await refresh(key) == "refresh_token_invalid")
  }

  @Test func hashesOfTheUsersNamesAreAccepted() async throws {
    let secret = "0123456789abcdefghijklmnopqrstuvwxyz"
    let f = try await TokenFixture { pool, client, user in
      user.attributes = ["email": "jane@example.com"]
    }
    let sealed = try f.service.secrets.seal(
      SecretBytes(secret.utf8.span), for: .clientSecret,
      name: UserPoolClient.secretSealName(pool: f.pool.id, id: f.client.id))
    var client = f.client
    client.sealedSecret = sealed
    try await f.put(client)
    let (token, confidential) = (try #require(try await f.signIn().refreshToken), client)
    func refresh(_ name: String?) async throws -> String {
      var hash: String?
      if let name {
        let code = try MessageAuthenticator(key: SecretBytes(secret.utf8.span), digest: .sha256).authenticate(
          Array((name + confidential.id).utf8).span)
        hash = Base64.string(code)
      }
      return await errorCode { _ = try await f.refresh(token, client: confidential, hash: .hash(hash)) }
    }
    for name in ["Jane", f.user.sub, "jane@example.com"] { #expect(try await refresh(name) == "") }
    for name in ["jane", "other", ""] { #expect(try await refresh(name) == "refresh_secret_hash_mismatch") }
    #expect(try await refresh(nil) == "client_secret_hash_missing")
  }

  /// A refresh writes only where the row must be kept for longer.
  @Test func refreshingWritesNothing() async throws {
    let f = try await TokenFixture()
    let token = try #require(try await f.signIn().refreshToken)
    func row() async throws -> SignIn? {
      try await f.store.read { rows throws(UserPoolError) in
        try rows.scan(UserPoolTables.signIns, limit: 10).first
      }
    }
    let before = try await row()
    _ = try await f.refresh(token, at: TokenFixture.now + .seconds(86_400))
    #expect(try await row() == before)
    #expect(before?.kept == before.map { $0.end + .seconds(300) })
  }

  /// Access tokens that outlive their refresh token are valid until they expire.
  @Test func accessTokensOutliveTheRefreshToken() async throws {
    let f = try await TokenFixture { _, client, _ in
      (client.refreshLifetime, client.refreshUnit) = (60, .minutes)
      (client.accessLifetime, client.accessUnit) = (24, .hours)
    }
    let token = try #require(try await f.signIn().refreshToken)
    let last = TokenFixture.now + .seconds(3_599)
    let access = try await f.refresh(token, at: last).accessToken
    let end = last + .seconds(86_400)
    let row = try await f.store.read(at: end) { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.signIns, limit: 10).first
    }
    #expect(try #require(row).kept >= end)
    #expect(await f.use(access, at: end - .seconds(1)) == "")
    #expect(await f.use(access, at: end) == "access_token_expired")
  }
}
