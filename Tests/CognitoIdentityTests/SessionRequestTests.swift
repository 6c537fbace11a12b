internal import AccessPolicies
@testable internal import CognitoIdentity
internal import CognitoIdentityClient
internal import HTTPExchange
internal import Records
internal import ServiceOperations
internal import SigV4
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

/// An API that verifies requests with signing keys of sessions, which it asks a service for.
@Suite struct SessionRequestTests {
  private typealias Keys = SessionSigningKeyTests

  private static let document =
    #"{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "orders:*", "Resource": "#
    + #""arn:aws:orders:::users/${cognito-identity.amazonaws.com:sub}/*"}}"#

  /// A service, an API with its own access key, and credentials of an identity.
  private struct World {
    let fixture: Fixture
    let service: OwnService
    let keys: SessionKeys
    let verifier: RequestVerifier
    let given: Keys.Given

    init(capacity: Int = 10_000, questions: Int = 64) async throws {
      fixture = try await Fixture(.memory)
      try await fixture.service.putRole(
        StoredRole(
          arn: Fixture.role, trustPolicy: Fixture.trust(fixture.pool.id, "authenticated"),
          longestSession: .seconds(43_200),
          policies: [try PermissionPolicy(name: "own", document: SessionRequestTests.document)]))
      let api = try await fixture.service.createAccessKey(
        scope: Keys.policy("arn:aws:signing-keys:*:123456789012:api/orders"), at: Fixture.now)
      service = OwnService(fixture.service)
      keys = SessionKeys(
        endpoint: try IdentityEndpoint(address: "http://127.0.0.1:8008", region: "us-east-1"),
        credentials: StaticCredentials(
          try Credentials(accessKeyID: api.id, secretAccessKey: api.secret.withBytes { SecretBytes($0) })),
        transport: service, capacity: capacity, questions: questions)
      verifier = try RequestVerifier(
        policy: VerifierPolicy(service: "orders", region: "eu-west-1", hosts: .oneOf(["api.example"])))
      given = try await Keys.credentials(fixture)
    }

    func message(
      _ given: Keys.Given, path: String = "/orders/1", at now: Timestamp = Fixture.now
    ) throws -> HTTPMessage {
      let signer = try Signer(service: "orders", region: "eu-west-1")
      let signed = try signer.sign(
        RequestHead("GET", path, headers: ["host": "api.example"]), with: given.credentials(), at: now)
      return HTTPMessage(head: signed.head, body: [])
    }

    @discardableResult
    func verify(
      _ message: HTTPMessage? = nil, at now: Timestamp = Fixture.now
    ) async throws -> SessionRequest<HashBinding> {
      try await verifier.verify(
        message ?? self.message(given, at: now), with: keys, from: "203.0.113.7", at: now)
    }
  }

  private static func code(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return ""
    } catch let error as SessionRequestError {
      return error.codeText
    } catch {
      return "\(error)"
    }
  }

  @Test func policiesOfTheSessionDecide() async throws {
    let world = try await World()
    let request = try await world.verify()
    let identity = try #require(world.given.session?.identityID)
    #expect(request.session.identityID == identity && request.session.roleARN == Fixture.role)
    #expect(
      request.session.methods.first == "authenticated" && request.session.expiration == world.given.expiration
    )
    #expect(request.request.head.method == "GET")
    let own = "arn:aws:orders:::users/\(identity)/1"
    try request.check("orders:Read", on: own)
    #expect(try request.decide("orders:Read", on: own).isAllowed)
    for (action, resource) in [
      ("orders:Read", "arn:aws:orders:::users/us-east-1:other/1"), ("billing:Read", own),
      ("orders:List", "*"),
    ] {
      #expect(await Self.code { try request.check(action, on: resource) } == "session_denied")
    }
    do {
      try request.check("orders:Read", on: "arn:aws:orders:::users/x/1")
      Issue.record("it is not denied")
    } catch .denied(let explanation) {
      #expect(explanation.statements.first?.mismatches.first?.code == .resource)
    }
    // Conditions of the application's own do not replace those of the session.
    #expect(
      try !request.decide(
        "orders:Read", on: "arn:aws:orders:::users/x/1", with: ["Cognito-Identity.amazonaws.com:sub": ["x"]]
      ).isAllowed)
  }

  /// Without the body, the signature says which hash it must have.
  @Test func headsAlone() async throws {
    let world = try await World()
    func signed(_ body: String, declares: Bool) throws -> RequestHead {
      var signer = try Signer(service: "orders", region: "eu-west-1")
      signer.declaresPayloadHash = declares
      let head = RequestHead("PUT", "/orders/1", headers: ["host": "api.example"])
      return try signer.sign(
        head, body: .bytes(Array(body.utf8)), with: world.given.credentials(), at: Fixture.now
      ).head
    }
    func verified(_ head: RequestHead, assumingNoBody: Bool = false) async throws -> NoBinding {
      try await world.verifier.verifyLeavingBodyUnchecked(
        head, with: world.keys, because: "a test", assumingNoBody: assumingNoBody, at: Fixture.now
      ).request.binding
    }
    let hash = try DigestAlgorithm.sha256.hash(Array("a".utf8).span)
    #expect(try await verified(signed("a", declares: true)).declared == .sha256(hash))
    #expect(try await verified(signed("a", declares: true), assumingNoBody: true).declared == .sha256(hash))
    let empty = try DigestAlgorithm.sha256.hash([UInt8]().span)
    #expect(try await verified(signed("", declares: false), assumingNoBody: true).declared == .sha256(empty))
    #expect(await Self.code { _ = try await verified(signed("", declares: false)) } == "payload_hash_missing")
    #expect(
      await Self.code { _ = try await verified(signed("a", declares: false), assumingNoBody: true) }
        == "signature_mismatch")
  }

  /// An answer serves for a minute; a revoked session is refused then.
  @Test func answersAreKept() async throws {
    let world = try await World()
    for second in [0, 1, 30, 59] as [Int64] {
      try await world.verify(at: Fixture.now.advanced(bySeconds: second))
    }
    #expect(world.service.questions == 1 && world.keys.count == 1)
    let id = world.given.accessKeyID
    let revocation = try SessionRevocation(.session, id, until: Fixture.now)
    try await world.fixture.store.write { rows throws(IdentityError) in try rows.put(revocation) }
    try await world.verify(at: Fixture.now.advanced(bySeconds: 59))
    let minute = Fixture.now.advanced(bySeconds: 60)
    for _ in 0..<3 { #expect(await Self.code { try await world.verify(at: minute) } == "session_refused") }
    #expect(world.service.questions == 2)
    // It is asked again after ten seconds.
    #expect(
      await Self.code { try await world.verify(at: minute.advanced(bySeconds: 10)) } == "session_refused")
    #expect(world.service.questions == 3)
  }

  @Test func answersEndWithTheSession() async throws {
    let world = try await World()
    let end = world.given.expiration
    try await world.verify(at: end.advanced(bySeconds: -1))
    let late = try world.message(world.given, at: end.advanced(bySeconds: -1))
    #expect(await Self.code { try await world.verify(late, at: end) } == "session_refused")
    #expect(world.service.questions == 2)
  }

  /// What cannot be a session of the service is refused without a question, and what is none is asked once.
  @Test func strangersAreCheap() async throws {
    let world = try await World()
    func given(_ id: String, _ token: String) -> Keys.Given { world.given.changed(id: id, token: token) }
    let (id, token) = (world.given.accessKeyID, world.given.sessionToken)
    let long = String(repeating: "A", count: 8_192)
    for (id, token) in [
      ("AKIAAAAAAAAAAAAAAAAA", token), ("ASIAAAAAAAAAAAAAAAA1", token), ("ASIAAAAAAAAAAAAAAAAAA", token),
      (id, "TS1."), (id, "TS3." + token.dropFirst(4)), (id, "TS1." + long), (id, token.dropLast() + "="),
    ] as [(String, String)] {
      let message = try world.message(given(id, token))
      #expect(await Self.code { try await world.verify(message) } == "access_key_unknown", "\(id) \(token)")
    }
    #expect(world.service.questions == 0)
    let forged = try world.message(given(id, "TS1." + long.prefix(200)))
    for _ in 0..<3 { #expect(await Self.code { try await world.verify(forged) } == "session_refused") }
    #expect(world.service.questions == 1)
    // Of a known session another signature.
    let changed = HTTPMessage(
      head: RequestHead(
        method: "GET", path: Array("/orders/2".utf8), headers: try world.message(world.given).head.headers))
    #expect(await Self.code { try await world.verify(changed) } == "signature_mismatch")
    // Before anything is asked, the request itself is checked.
    let old = try world.message(world.given, at: Fixture.now.advanced(bySeconds: -1_000))
    #expect(await Self.code { try await world.verify(old) } == "request_expired")
    #expect(world.service.questions == 2)
  }

  @Test func serviceThatIsAway() async throws {
    let world = try await World()
    world.service.set(.away)
    for _ in 0..<2 { #expect(await Self.code { try await world.verify() } == "endpoint_unreachable") }
    #expect(world.service.questions == 2 && world.keys.count == 0)
    world.service.set(.here)
    try await world.verify()
    // A policy that cannot be read may deny.
    world.service.set(.changing("2012-10-17", "2013-10-17"))
    world.keys.removeAll()
    let request = try await world.verify()
    #expect(await Self.code { try request.check("orders:Read") } == "session_policy_unreadable")
    for (old, new) in [("\"SigningKey\":\"", "\"SigningKey\":\"AAAA"), ("\"SigningKey\"", "\"Key\"")] {
      world.service.set(.changing(old, new))
      world.keys.removeAll()
      #expect(await Self.code { try await world.verify() } == "answer_malformed")
    }
  }

  /// A clock that is set back does not prolong an answer, and what is forgotten meanwhile is not kept.
  @Test func clocksThatGoBackAndAnswersUnderWay() async throws {
    let world = try await World()
    try await world.verify(at: Fixture.now.advanced(bySeconds: 30))
    try await world.verify(at: Fixture.now.advanced(bySeconds: 29))
    #expect(world.service.questions == 2)
    let gate = Gate()
    world.service.hold(gate)
    world.keys.removeAll()
    async let asked: SessionRequest<HashBinding> = world.verify()
    try await eventually { gate.waiting == 1 }
    world.keys.removeAll()
    gate.open()
    _ = try await asked
    #expect(world.keys.count == 0 && world.service.questions == 3)
  }

  /// Limits of a session, of its own and managed, apply.
  @Test func sessionPolicies() async throws {
    let world = try await World()
    let role = "arn:aws:iam::123456789012:role/orders"
    let trust =
      #"{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::123456789012:root"}, "#
      + #""Action": ["sts:AssumeRole", "sts:TagSession", "sts:SetSourceIdentity"]}}"#
    let f = world.fixture
    try await f.service.putRole(
      StoredRole(
        arn: role, trustPolicy: trust,
        policies: [try PermissionPolicy(name: "p", document: PermissionPolicyTests.allow("orders:*"))]))
    let managed = try PermissionPolicy(name: "reading", document: PermissionPolicyTests.allow("orders:Read"))
    try await f.store.write { rows throws(IdentityError) in try rows.put(managed) }
    var asked = IdentityPoolService.RoleRequest(roleARN: role, sessionName: "jane")
    asked.policy = PermissionPolicyTests.allow("orders:List")
    asked.policyARNs = [managed.arn(account: "123456789012")]
    asked.sourceIdentity = "jane"
    asked.tags = ["team": "blue"]
    let issued = try await f.service.assumeRole(
      asked, in: .init(caller: .developer(accessKeyID: "AKIAEXAMPLE", scope: .everything), at: Fixture.now))
    // Its access key must be there.
    #expect(
      await Self.code { try await world.verify(world.message(Keys.Given(issued))) } == "session_refused")
    let key = try await f.service.createAccessKey(at: Fixture.now).id
    let taken = try await f.service.assumeRole(
      asked, in: .init(caller: .developer(accessKeyID: key, scope: .everything), at: Fixture.now))
    let request = try await world.verify(world.message(Keys.Given(taken)))
    #expect(request.session.sourceIdentity == "jane" && request.session.tags == ["team": "blue"])
    #expect(request.session.identityID == nil && request.session.methods.isEmpty)
    for (action, isAllowed) in [("orders:Read", true), ("orders:List", true), ("orders:Write", false)] {
      #expect(try request.decide(action).isAllowed == isAllowed, "\(action)")
    }
    // A removed one may have denied something.
    try await f.store.write { rows throws(IdentityError) in
      _ = try rows.removeManagedPolicy(managed.arn(account: "123456789012"), ofAccount: "123456789012")
    }
    world.keys.removeAll()
    #expect(await Self.code { try await world.verify(world.message(Keys.Given(taken))) } == "session_refused")
  }

  /// A stranger cannot ask all questions: sessions that were valid go first, and so do other addresses.
  @Test func strangersLeaveQuestionsToOthers() async throws {
    let world = try await World(questions: 8)
    try await world.verify()
    let minute = Fixture.now.advanced(bySeconds: 60)
    let gate = Gate()
    world.service.hold(gate)
    func forged(_ number: Int) throws -> HTTPMessage {
      try world.message(
        world.given.changed(
          id: world.given.accessKeyID, token: "TS1." + String(repeating: "A", count: 100 + number)),
        at: minute)
    }
    let ended = Tally()
    @Sendable func attempt(_ message: HTTPMessage, _ address: String) async -> String {
      let found = await Self.code {
        _ = try await world.verifier.verify(message, with: world.keys, from: address, at: minute)
      }
      ended.add()
      return found
    }
    try await withThrowingTaskGroup(of: String.self) { group in
      // Also where an expectation is not met.
      defer { gate.open() }
      // One of an address, four in all.
      for number in 0..<4 {
        let (first, second) = (try forged(number), try forged(10 + number))
        group.addTask { await attempt(first, "203.0.113.\(number)") }
        try await eventually { gate.waiting == number + 1 }
        group.addTask { await attempt(second, "203.0.113.\(number)") }
        try await eventually { ended.value == number + 1 }
      }
      let (other, known) = (try forged(20), try world.message(world.given, at: minute))
      group.addTask { await attempt(other, "198.51.100.1") }
      try await eventually { ended.value == 5 }
      group.addTask { await attempt(known, "203.0.113.7") }
      try await eventually { gate.waiting == 5 }
      gate.open()
      var codes: [String] = []
      for try await code in group { codes.append(code) }
      #expect(
        codes.sorted() == [""] + Array(repeating: "session_keys_busy", count: 5)
          + Array(repeating: "session_refused", count: 4))
    }
    #expect(world.service.questions == 6)
  }

  /// Of many sessions in turn, all are known without another question, also those whose values are not kept.
  @Test func manySessions() async throws {
    let world = try await World()
    let session = try #require(world.given.session)
    var messages: [HTTPMessage] = []
    for number in 0..<260 {
      let issued = try world.fixture.service.sessions.issue(
        SessionTokens.Session(
          roleARN: session.roleARN, name: "n\(number)", identityID: session.identityID,
          poolID: session.poolID,
          tags: [:]), lifetime: .seconds(3_600), at: Fixture.now)
      messages.append(try world.message(Keys.Given(issued)))
    }
    for _ in 0..<2 {
      for (number, message) in messages.enumerated() {
        let found = try await world.verify(message)
        #expect(found.session.sessionName == "n\(number)")
      }
    }
    #expect(world.service.questions == 260 && world.keys.count == 260)
  }

  @Test func responses() throws {
    let errors: [(SessionRequestError, Int, String)] = [
      (.signature(.signatureMismatch), 403, "SignatureDoesNotMatch"),
      (.sessionRefused(message: "x"), 403, "ExpiredToken"),
      (.policyUnreadable(name: "x"), 403, "AccessDenied"), (.busy(limit: 1), 503, "ServiceUnavailable"),
      (.unavailable(.unreachable("x")), 503, "ServiceUnavailable"),
    ]
    for (error, status, code) in errors {
      #expect(error.response.status == status && error.response.code == code)
    }
  }

  @Test func equalQuestionsAreOne() async throws {
    let world = try await World(questions: 1)
    let other = try await Keys.credentials(world.fixture)
    let gate = Gate()
    world.service.hold(gate)
    let message = try world.message(world.given)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await world.verify(message) } }
      try await eventually { gate.waiting == 1 }
      let second = try world.message(other)
      #expect(await Self.code { try await world.verify(second) } == "session_keys_busy")
      gate.open()
      try await group.waitForAll()
    }
    #expect(world.service.questions == 1)
    try await world.verify(world.message(other))
    #expect(world.service.questions == 2)
  }

  @Test func capacity() async throws {
    let world = try await World(capacity: 3)
    for _ in 0..<5 { try await world.verify(world.message(Keys.credentials(world.fixture))) }
    #expect(world.keys.count == 3 && world.service.questions == 5)
    #expect(
      SessionKeys(
        endpoint: try IdentityEndpoint(region: "us-east-1"),
        credentials: StaticCredentials(try world.given.credentials()), transport: world.service, capacity: 0
      ).capacity == 1)
  }

  @Test func presignedAndSigV4A() async throws {
    let world = try await World()
    let signer = try Signer(service: "orders", region: "eu-west-1")
    let credentials = try world.given.credentials()
    let presigned = try signer.presign(
      RequestHead("GET", "/orders/1", headers: ["host": "api.example"]), expiresIn: .seconds(600),
      with: credentials,
      at: Fixture.now)
    var policy = VerifierPolicy(service: "orders", region: "eu-west-1", hosts: .oneOf(["api.example"]))
    policy.algorithms = [.hmacSHA256, .ecdsaP256SHA256]
    policy.placements = [.header, .query]
    let verifier = try RequestVerifier(policy: policy)
    let late = Fixture.now.advanced(bySeconds: 599)
    let found = try await verifier.verify(
      HTTPMessage(head: presigned.head, body: []), with: world.keys, at: late)
    #expect(found.session.roleARN == Fixture.role)
    let asymmetric = try Signer(service: "orders", regionSet: ["eu-west-1"])
    let signed = try asymmetric.sign(
      RequestHead("GET", "/orders/1", headers: ["host": "api.example"]), with: credentials, at: Fixture.now)
    let message = HTTPMessage(head: signed.head, body: [])
    let second = try await verifier.verify(message, with: world.keys, at: Fixture.now)
    #expect(second.session.arn == found.session.arn && world.service.questions == 2)
    // Of another key it verifies nothing.
    let other = try await Keys.credentials(world.fixture)
    let forged = try asymmetric.sign(
      RequestHead("GET", "/orders/1", headers: ["host": "api.example"]),
      with: other.changed(id: world.given.accessKeyID, token: world.given.sessionToken).credentials(),
      at: Fixture.now)
    #expect(
      await Self.code {
        _ = try await verifier.verify(
          HTTPMessage(head: forged.head, body: []), with: world.keys, at: Fixture.now)
      } == "signature_mismatch")
  }
}

/// A service that verifies signatures of APIs, in this process.
private final class OwnService: HTTPTransport {
  enum State {
    case here
    case away
    /// The first text in a response becomes the second one.
    case changing(String, String)
  }

  private let service: IdentityPoolService
  private let verifier: RequestVerifier?
  private let state = Mutex((questions: 0, state: State.here, gate: Gate?.none))

  init(_ service: IdentityPoolService) {
    self.service = service
    verifier = try? RequestVerifier(
      policy: VerifierPolicy(service: "signing-keys", region: "us-east-1", hosts: .oneOf(["127.0.0.1:8008"])))
  }

  var questions: Int { state.withLock { $0.questions } }
  func set(_ new: State) { state.withLock { $0.state = new } }
  func hold(_ gate: Gate) { state.withLock { $0.gate = gate } }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let (now, gate) = state.withLock { state in
      state.questions += 1
      return (state.state, state.gate)
    }
    await gate?.pass()
    if case .away = now { throw .connection("refused") }
    do {
      let (status, body) = try await answer(request)
      guard case .changing(let old, let new) = now else {
        return TransportResponse(status: status, body: body)
      }
      let text = String(decoding: body, as: UTF8.self)
      return TransportResponse(status: status, body: Array(text.replacing(old, with: new).utf8))
    } catch {
      throw .connection("\(error)")
    }
  }

  private func answer(_ request: TransportRequest) async throws -> (Int, [UInt8]) {
    let head = RequestHead(
      method: request.method, path: Array("/".utf8),
      headers: request.headers.fields.map { HeaderField($0.name, $0.value) })
    let verifier = try #require(verifier)
    // The clock of the service is the caller's.
    let date = Array(try #require(request.headers["x-amz-date"]).utf8)
    func text(_ range: Range<Int>) -> String { String(decoding: date[range], as: UTF8.self) }
    let now = try #require(
      Timestamp(
        rfc3339:
          "\(text(0..<4))-\(text(4..<6))-\(text(6..<8))T\(text(9..<11)):\(text(11..<13)):\(text(13..<15))Z"))
    let pending = try verifier.parse(head, at: now)
    let id = pending.parameters.accessKeyID
    let key = try await service.openedAccessKey(id)
    _ = try verifier.verify(pending, key: key?.verificationKey, body: request.body)
    let headers = request.headers.fields.map { (name: $0.name, value: $0.value) }
    let found = try IdentityPoolService.router.route(
      OperationRequestHead(method: request.method, target: "/", headers: headers))
    let route = try #require(found)
    let context = IdentityPoolOperations.Context(
      caller: .developer(accessKeyID: id, scope: key?.scope), at: now)
    do throws(IdentityError) {
      let call = try await IdentityPoolOperations(service).call(route, request.body, in: context)
      let response = try await call.respond(context, requestID: "r").response
      return (response.status, response.body)
    } catch {
      let response = EncodedResponse(error, route.binding, requestID: "r")
      return (response.status, response.body)
    }
  }
}
