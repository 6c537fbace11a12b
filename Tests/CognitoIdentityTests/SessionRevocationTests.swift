internal import AccessPolicies
@testable internal import CognitoIdentity
internal import Records
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Revocations of sessions.
@Suite struct SessionRevocationTests {
  private typealias Keys = SessionSigningKeyTests

  /// Sessions that began until a revocation are refused, by id, identity or role; later ones are not.
  @Test(arguments: Fixture.Kind.allCases) func revocations(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let given = try await Keys.credentials(f)
    let other = try await Keys.credentials(f)
    let (id, token, otherID, otherToken) = (
      given.accessKeyID, given.sessionToken, other.accessKeyID, other.sessionToken
    )
    let identity = try #require(given.session?.identityID)
    func revoke(_ kind: SessionRevocation.Kind, _ name: String, _ seconds: Int64) async throws {
      let revocation = try SessionRevocation(kind, name, until: Fixture.now.advanced(bySeconds: seconds))
      try await f.store.write { rows throws(IdentityError) in try rows.put(revocation) }
    }
    func state(_ id: String, _ token: String) async throws -> String {
      await code {
        let opened = try f.service.sessions.open(token, of: id, at: Fixture.now)
        _ = try await f.service.caller(with: opened, of: id, at: Fixture.now)
      }
    }
    try await revoke(.session, "ASIAAAAAAAAAAAAAAAAA", 0)
    try await revoke(.identity, identity, -1)
    try await revoke(.role, Fixture.guestRole, 60)
    #expect(try await state(id, token) == "")
    try await revoke(.session, id, 0)
    #expect(try await state(id, token) == "session_revoked")
    #expect(try await state(otherID, otherToken) == "")
    #expect(await code { _ = try await Keys.ask(f, id, token) } == "session_revoked")
    try await revoke(.role, Fixture.role, 0)
    // An earlier one takes nothing back.
    try await revoke(.role, Fixture.role, -10)
    #expect(try await state(otherID, otherToken) == "session_revoked")
    #expect(await code { _ = try await Keys.ask(f, otherID, otherToken) } == "session_revoked")
    let later = try f.service.sessions.issue(
      try #require(given.session), lifetime: .seconds(3_600), at: Fixture.now.advanced(bySeconds: 1))
    #expect(try await state(later.accessKeyID, later.sessionToken) == "")
    try await revoke(.identity, identity, 1)
    #expect(try await state(later.accessKeyID, later.sessionToken) == "session_revoked")
    let all = try await f.store.read(at: Fixture.now) { rows throws(IdentityError) in
      try rows.sessionRevocations()
    }
    #expect(all.count == 5)
    for (kind, name, expected) in [
      (.session, "", "member_length"), (.session, "ASIA0AAAAAAAAAAAAAAA", "member_pattern"),
      (.identity, "none", "member_pattern"), (.role, "arn:aws:iam::1:user/xxxxx", "member_pattern"),
    ] as [(SessionRevocation.Kind, String, String)] {
      #expect(await code { _ = try SessionRevocation(kind, name, until: Fixture.now) } == expected, "\(name)")
    }
  }

  /// A session of a session ends with those by which it was opened, also one of the same role, and with the first identity.
  @Test(arguments: 0..<5) func chains(_ subject: Int) async throws {
    let f = try await Fixture(.memory)
    let own = "arn:aws:iam::123456789012:role/own"
    let trust =
      #"{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Principal": {"AWS": ["\#(Fixture.role)", "\#(own)"]}, "Action": "sts:AssumeRole"}}"#
    try await f.service.putRole(
      StoredRole(
        arn: own, trustPolicy: trust,
        policies: [try PermissionPolicy(name: "p", document: PermissionPolicyTests.allow("*"))]))
    func open(_ id: String, _ token: String) async throws(IdentityError) -> IdentityPoolOperations.Caller {
      let opened = try f.service.sessions.open(token, of: id, at: Fixture.now)
      return try await f.service.caller(with: opened, of: id, at: Fixture.now)
    }
    func assume(
      _ caller: IdentityPoolOperations.Caller
    ) async throws(IdentityError) -> (id: String, token: String) {
      let issued = try await f.service.assumeRole(
        .init(roleARN: own, sessionName: "next"), in: .init(caller: caller, at: Fixture.now))
      return (issued.accessKeyID, issued.sessionToken)
    }
    let first = try await Keys.credentials(f)
    let identity = try #require(first.session?.identityID)
    let second = try await assume(open(first.accessKeyID, first.sessionToken))
    let third = try await assume(open(second.id, second.token))
    let last = try await assume(open(third.id, third.token))
    let session = try #require(try await open(last.id, last.token).session)
    #expect(session.identityID.isEmpty && session.origin?.identityID == identity)
    #expect(session.origin?.steps.map(\.id) == [first.accessKeyID, second.id])
    // Not with an identity's rights, whatever the role allows.
    let asked = await code {
      _ = try await Keys.ask(f, first.accessKeyID, first.sessionToken, by: .session(session))
    }
    #expect(asked == "caller_forbidden")
    let (kind, name): (SessionRevocation.Kind, String) =
      switch subject {
      case 0: (.session, first.accessKeyID)
      case 1: (.session, second.id)
      case 2: (.identity, identity)
      case 3: (.session, last.id)
      default: (.role, Fixture.role)
      }
    let revocation = try SessionRevocation(kind, name, until: Fixture.now)
    try await f.store.write { rows throws(IdentityError) in try rows.put(revocation) }
    #expect(await code { _ = try await open(last.id, last.token) } == "session_revoked", "\(kind)")
  }

  /// An access key id names one session, whatever the clock said when it was issued.
  @Test func idsDoNotDependOnClocks() async throws {
    let f = try await Fixture(.memory)
    let given = try await Keys.credentials(f)
    let revocation = try SessionRevocation(
      .session, given.accessKeyID, until: Fixture.now.advanced(bySeconds: -3_600))
    try await f.store.write { rows throws(IdentityError) in try rows.put(revocation) }
    let opened = try f.service.sessions.open(given.sessionToken, of: given.accessKeyID, at: Fixture.now)
    #expect(
      await code { _ = try await f.service.caller(with: opened, of: given.accessKeyID, at: Fixture.now) }
        == "session_revoked")
  }

  /// A token of an earlier version does not say when the session began: a day before its end at the earliest.
  @Test func tokensWithoutABeginning() async throws {
    let f = try await Fixture(.memory)
    let keys = try SealingKeys(master: SecretBytes([UInt8](repeating: 7, count: 32).span))
    let content =
      [UInt8]("s".utf8) + [UInt8](repeating: 0x61, count: 39)
      + Array(
        #"{"r":"\#(Fixture.role)","n":"CognitoIdentityCredentials","i":"\#(f.pool.id)","p":"\#(f.pool.id)","e":1800003600}"#
          .utf8)
    let id = "ASIAAAAAAAAAAAAAAAAB"
    let sealed = try keys.seal(SecretBytes(content.span), for: .session, name: id)
    let opened = try f.service.sessions.open("TS1." + Base64URL.string(sealed), of: id, at: Fixture.now)
    #expect(
      opened.issued == Timestamp(seconds: 1_800_003_600 - 86_400) && opened.session?.issued == opened.issued)
    let revocation = try SessionRevocation(.role, Fixture.role, until: opened.issued)
    try await f.store.write { rows throws(IdentityError) in try rows.put(revocation) }
    #expect(
      await code { _ = try await f.service.caller(with: opened, of: id, at: Fixture.now) }
        == "session_revoked")
  }

  /// The begin of a session is a condition key.
  @Test func beginIsAConditionKey() async throws {
    let f = try await Fixture(.memory)
    let session = try #require(try await Keys.credentials(f).session)
    let keys = IdentityPoolOperations.Context(caller: .session(session), at: Fixture.now)
      .conditionKeys(account: "123456789012")
    #expect(keys["aws:TokenIssueTime"] == ["2027-01-15T08:00:00Z"])
  }
}
