internal import CMemcheck
internal import CognitoSync
internal import CognitoUserPool
internal import Records
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Operations of the services over the protocols on secrets of their own: passwords as they are stored, digests of
/// codes and of refresh tokens, and sealed tokens. Their keys are secret; the store's data and the clients' requests
/// are not.
extension SecretFlow {
  private static let masterKey = "0123456789abcdef0123456789abcdef"
  private static let poolID = "eu-west-1_AbCdEfGhI"
  private static let sub = "b0c1a2d3-0000-4000-8000-000000000001"
  private static let time = Timestamp(since1970: .seconds(1_788_598_987))

  static func services() async throws {
    try await storedPasswords()
    try await verificationCodes()
    try check("refresh tokens of user pools") { try refreshTokens() }
    try check("tokens of synchronisations") { try syncSessions() }
  }

  private static func storedPasswords() async throws {
    let before = memcheck_errors()
    let service = UserPoolService(
      store: try MemoryRecordStore(tables: UserPoolTables.all),
      secrets: try UserPoolSecrets(master: marked(masterKey)))
    var pool = UserPool()
    pool.id = poolID
    var user = User()
    user.poolID = poolID
    user.name = "alice"
    user.canonicalName = "alice"
    user.sub = sub
    user.password = try await service.passwords.verifier(of: marked("right"), for: user, in: pool, from: nil)
    for (password, known) in [("right", true), ("wrong", true), ("right", false)] {
      let isRight = try await service.passwords.isPassword(
        marked(password), of: known ? user : nil, named: "alice", in: pool, from: nil)
      precondition(isRight == (known && password.isIdentical(to: "right")))
    }
    report("passwords in user pools, of known and unknown users", memcheck_errors() - before)
  }

  private static func verificationCodes() async throws {
    let before = memcheck_errors()
    let secrets = try UserPoolSecrets(master: marked(masterKey))
    let store = try MemoryRecordStore(tables: UserPoolTables.all)
    var made = User()
    made.poolID = poolID
    made.sub = sub
    var row = StoredCode()
    row.poolID = poolID
    row.sub = sub
    row.purpose = "signUp"
    row.attribute = "email"
    row.value = "alice@example.com"
    row.end = time + .seconds(600)
    row.digest = Declassification.of(
      try secrets.digest(poolID, sub, row.purpose, row.attribute, row.value, "123456", for: .code))
    let (stored, user) = (row, made)
    try await store.write(at: time) { rows throws(UserPoolError) in
      try rows.put(stored, in: UserPoolTables.codes)
    }
    for code in ["123456", "023456", "123457", "", "1234567"] {
      let check = try await store.write(at: time) { rows throws(UserPoolError) in
        try rows.checkCode(code, .signUp, of: user, secrets: secrets)
      }
      if case .right = check {
        precondition(code.isIdentical(to: "123456"))
      } else {
        precondition(!code.isIdentical(to: "123456"))
      }
    }
    report("codes of user pools, compared by their digests", memcheck_errors() - before)
  }

  private static func refreshTokens() throws {
    let secrets = try UserPoolSecrets(master: marked(masterKey))
    let body: [UInt8] = [1] + Array(sub.utf8) + [0, 0, 0, 0] + Array(repeating: 7, count: 32)
    let code = Declassification.of(
      try secrets.digest([Array("tag".utf8), Array(poolID.utf8), body], for: .refreshToken))
    let right = body + code.prefix(16)
    guard let token = try RefreshToken(Base64URL.string(right), poolID: poolID, secrets: secrets) else {
      fatalError("the token is refused")
    }
    for place in [1, 40, 60, right.count - 16, right.count - 1] {
      var wrong = right
      wrong[place] ^= 1
      let parsed = try RefreshToken(Base64URL.string(wrong), poolID: poolID, secrets: secrets)
      precondition(parsed == nil)
    }
    let (digest, again) = (try token.digest(secrets: secrets), try token.digest(secrets: secrets))
    let next = try token.successor(secrets: secrets).digest(secrets: secrets)
    precondition(ConstantTime.areEqual(digest.span, again.span))
    precondition(!ConstantTime.areEqual(digest.span, next.span))
  }

  private static func syncSessions() throws {
    let secrets = try SyncSecrets(master: marked(masterKey))
    let identity = IdentityKey(poolID: "us-east-1:0", identityID: "us-east-1:1")
    let (notes, other) = (DatasetKey(identity, name: "notes"), DatasetKey(identity, name: "other"))
    let token = try secrets.token(for: notes, base: 7, at: time)
    let base = try secrets.check(token, for: notes, at: time)
    precondition(base == 7)
    for (key, later) in [(other, Duration.zero), (notes, .seconds(601))] {
      do throws(SyncError) {
        try secrets.check(token, for: key, at: time + later)
        fatalError("a token of another data set, or an old one")
      } catch {
        precondition(error.code == .sessionTokenInvalid)
      }
    }
  }
}
