@testable internal import CognitoUserPoolClient
internal import HTTPExchange
internal import JOSE
internal import ServiceOperations
internal import SigningKeyTesting
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// A pool's service that issues tokens and publishes their key. All other responses are scripted.
final class TokenIssuer: HTTPTransport {
  static let now = Timestamp(since1970: .seconds(1_800_000_000))

  let script = ScriptedTransport()
  private let signer: TokenSigner
  private let keys: [UInt8]
  private let state = Mutex((fetches: 0, fails: false, gate: Gate?.none))

  /// One key for all tests: generating one takes time.
  private static let key = Result { try VectorKeys.rsa(40, keyID: "k1") }

  init(key: JWK? = nil) throws {
    let key = try key ?? Self.key.get()
    signer = try TokenSigner(key: key, algorithm: .rs256, type: nil)
    keys = Array(JWKSet([key]).publicJSON.utf8)
  }

  /// How often the keys were fetched.
  var fetches: Int { state.withLock { $0.fetches } }

  /// Whether the keys cannot be fetched.
  func failKeys(_ fails: Bool) { state.withLock { $0.fails = fails } }

  /// Holds the keys back.
  func holdKeys(_ gate: Gate?) { state.withLock { $0.gate = gate } }

  /// The operations that were called.
  var operations: [String] { script.operations }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    guard request.method == "GET" else { return try await script.send(request) }
    let (fails, gate) = state.withLock { state in
      state.fetches += 1
      return (state.fails, state.gate)
    }
    await gate?.pass()
    guard !fails else { throw .connection("the keys are away") }
    return TransportResponse(status: 200, headers: ["Content-Type": "application/json"], body: keys)
  }

  /// A deviation of a token from the usual one.
  struct Change: Sendable {
    var name: String
    var value: JSONValue

    init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// A token of `use`.
  func token(
    _ use: String, _ username: String = "jane", from start: Timestamp = TokenIssuer.now,
    for lifetime: Int64 = 3_600, changing changes: [Change] = []
  ) throws -> String {
    var claims = TokenClaims(
      issuer: "https://cognito-idp.eu-west-1.amazonaws.com/\(TestClient.poolID)", subject: "sub-\(username)")
    claims["token_use"] = .string(use)
    claims["iat"] = start.json
    claims["exp"] = (start + .seconds(lifetime)).json
    if use == "id" {
      claims["aud"] = "client1"
      claims["cognito:username"] = .string(username)
    } else {
      claims["client_id"] = "client1"
      claims["username"] = .string(username)
    }
    for change in changes { claims[change.name] = change.value }
    return try signer.sign(claims)
  }

  /// Tokens of a sign-in.
  func tokens(
    _ username: String = "jane", from start: Timestamp = TokenIssuer.now, for lifetime: Int64 = 3_600,
    refresh: String? = "refresh-1"
  ) throws -> IssuedTokens {
    IssuedTokens(
      idToken: try token("id", username, from: start, for: lifetime),
      accessToken: try token("access", username, from: start, for: lifetime),
      refreshToken: refresh.map { SecretText($0) })
  }

  /// A response with tokens.
  func answer(
    _ username: String = "jane", from start: Timestamp = TokenIssuer.now, for lifetime: Int64 = 3_600,
    refresh: String? = nil
  ) throws -> ScriptedTransport.Answer {
    var result: JSONObject = [
      "IdToken": .string(try token("id", username, from: start, for: lifetime)),
      "AccessToken": .string(try token("access", username, from: start, for: lifetime)),
      "TokenType": "Bearer", "ExpiresIn": .number(JSONNumber(lifetime)),
    ]
    result["RefreshToken"] = refresh.map(JSONValue.string)
    return .ok(["AuthenticationResult": .object(result)])
  }

  /// Sessions over this service.
  func sessions(
    _ store: any SessionStore = MemorySessionStore(), secret: String? = nil, older: Bool = false,
    clientMetadata: [ExactString: String] = [:], timers: any Clock<Duration> = ContinuousClock(),
    clock: @escaping @Sendable () -> Duration = { .zero }
  ) throws -> UserPoolSessions {
    let client = UserPoolClient(pool: try TestClient.pool(secret: secret), transport: self)
    return try UserPoolSessions(
      client: client, store: store, margin: .seconds(120), refreshesByInitiateAuth: older,
      clientMetadata: clientMetadata, keyTimeout: .seconds(3_600), timers: timers, clock: clock)
  }
}

/// A clock that a test sets.
final class TestTime: Sendable {
  private let state = Mutex(Duration.zero)

  var value: Duration { state.withLock { $0 } }
  func set(_ value: Duration) { state.withLock { $0 = value } }
}

/// A store in memory whose disk can be full.
final class FaultyStore: SessionStore {
  private let values = MemorySessionStore()
  private let state = Mutex((isFull: false, isLost: false, writes: 0))

  /// Whether nothing can be written.
  func setFull(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

  /// Whether nothing can be read.
  func setLost(_ isLost: Bool) { state.withLock { $0.isLost = isLost } }

  /// The attempts to write.
  var writes: Int { state.withLock { $0.writes } }

  func load(_ key: SessionKey) throws(UserPoolClientError) -> SecretText? {
    guard !state.withLock({ $0.isLost }) else { throw .storeUnavailable("the disk is lost") }
    return try values.load(key)
  }

  func save(_ value: SecretText, for key: SessionKey) throws(UserPoolClientError) {
    try write()
    try values.save(value, for: key)
  }

  func delete(_ key: SessionKey) throws(UserPoolClientError) {
    try write()
    try values.delete(key)
  }

  private func write() throws(UserPoolClientError) {
    let isFull = state.withLock { state in
      state.writes += 1
      return state.isFull
    }
    if isFull { throw .storeUnavailable("the disk is full") }
  }

  /// The stored text of an item of the test's pool; nil for none.
  func text(_ item: SessionKey.Item) throws -> String? {
    let key = SessionKey(poolID: TestClient.poolID, clientID: "client1", item: item)
    return try values.load(key)?.text
  }

  /// The stored object of an item.
  func object(_ item: SessionKey.Item) throws -> JSONObject {
    let text = try #require(try text(item))
    return try #require(try JSONValue(parsing: Array(text.utf8)).object)
  }

  /// Replaces an item by a text.
  func put(_ text: String, _ item: SessionKey.Item) throws {
    try values.save(
      SecretText(text), for: SessionKey(poolID: TestClient.poolID, clientID: "client1", item: item))
  }
}

extension SecretText {
  /// The text, for comparison.
  var text: String {
    withBytes { bytes in
      var copy: [UInt8] = []
      for index in bytes.indices { copy.append(bytes[index]) }
      return String(decoding: copy, as: UTF8.self)
    }
  }
}
