internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import Testing
internal import TokenSecurityVectorFiles

internal import SecureRemotePassword
@testable internal import CognitoSRP

/// Messages are bounded before they are parsed, and names are compared by bytes.
@Suite struct CognitoBoundTests {
  static func request(_ parameters: String, padding: Int = 0) -> [UInt8] {
    Array(
      (#"{"AuthFlow":"USER_SRP_AUTH","ClientId":"c","AuthParameters":{\#(parameters)}}"#
        + String(repeating: " ", count: padding)).utf8)
  }

  static func response(_ parameters: String, padding: Int = 0) -> [UInt8] {
    Array(
      (#"{"ChallengeName":"PASSWORD_VERIFIER","ClientId":"c","ChallengeResponses":{\#(parameters)}}"#
        + String(repeating: " ", count: padding)).utf8)
  }

  static func challenge(_ parameters: String, padding: Int = 0) -> [UInt8] {
    Array(
      (#"{"ChallengeName":"PASSWORD_VERIFIER","ChallengeParameters":{\#(parameters)}}"#
        + String(repeating: " ", count: padding)).utf8)
  }

  /// A message's parser and its size limit.
  static let readers: [(name: String, limit: Int, read: @Sendable (String, Int) throws -> Int)] = [
    (
      "request", 16_384,
      { try CognitoAuthRequest(json: CognitoBoundTests.request($0, padding: $1)).parameters.count }
    ),
    (
      "response", 16_384,
      { try CognitoChallengeResponse(json: CognitoBoundTests.response($0, padding: $1)).responses.count }
    ),
    (
      "challenge", 131_072,
      { try CognitoChallenge(json: CognitoBoundTests.challenge($0, padding: $1)).parameters.count }
    ),
  ]

  static func parameters(_ count: Int) -> String {
    (0..<count).map { "\"p\($0)\":\"\"" }.joined(separator: ",")
  }

  /// The same messages with n, 2n and 4n bytes: messages above the limit are refused.
  @Test(arguments: 0..<3) func parametersAreCounted(_ index: Int) throws {
    let reader = Self.readers[index]
    for count in [0, 1, 32, 64] { #expect(try reader.read(Self.parameters(count), 0) == count) }
    for count in [65, 128, 256, 512, 1_024] {
      #expect(throws: SRPError.parametersTooMany(count: count, limit: 64)) {
        try reader.read(Self.parameters(count), 0)
      }
    }
    for count in [20_000, 40_000, 80_000] {
      #expect(Material.code { _ = try reader.read(Self.parameters(count), 0) } == .messageTooLarge)
    }
  }

  @Test(arguments: 0..<3) func bytesAreCounted(_ index: Int) throws {
    let reader = Self.readers[index]
    let size = [Self.request(""), Self.response(""), Self.challenge("")][index].count
    #expect(try reader.read("", reader.limit - size) == 0)
    for limit in [1, 2, 4, 64] {
      let padding = limit * reader.limit + 1 - size
      #expect(throws: SRPError.messageTooLarge(size: limit * reader.limit + 1, limit: reader.limit)) {
        try reader.read("", padding)
      }
    }
  }

  /// Members of messages that were not parsed from JSON.
  @Test func partsOfMessages() async throws {
    let app = try Material.app()
    let secretApp = try Material.app(secret: "secret")
    let server = try Material.server()
    let long = String(repeating: "a", count: 2_049)
    func challenge(
      _ app: CognitoAppClient, canonical: String? = nil, _ parameters: CognitoParameters
    ) async -> SRPError.Code? {
      await Material.code {
        _ = try await server.challenge(
          CognitoAuthRequest(flow: "USER_SRP_AUTH", clientID: app.id, parameters: parameters), client: app,
          user: nil, canonicalUsername: canonical, key: CognitoServerKey(), at: Material.now)
      }
    }
    #expect(await challenge(app, ["USERNAME": long, "SRP_A": "2f"]) == .tooLong)
    #expect(await challenge(app, ["USERNAME": "", "SRP_A": "2f"]) == .empty)
    #expect(await challenge(app, canonical: long, ["USERNAME": "a", "SRP_A": "2f"]) == .tooLong)
    #expect(await challenge(app, canonical: "", ["USERNAME": "a", "SRP_A": "2f"]) == .empty)
    for hash in [String(repeating: "A", count: 1 << 20), String(repeating: "A", count: 43)] {
      #expect(
        await challenge(secretApp, ["USERNAME": "a", "SRP_A": "2f", "SECRET_HASH": hash])
          == .secretHashMismatch)
    }
    let answer = try await Material.answer(server)
    for name in ["PASSWORD_CLAIM_SIGNATURE", "PASSWORD_CLAIM_SECRET_BLOCK", "USERNAME"] {
      var other = answer
      other.responses[name] = String(repeating: "A", count: 1 << 20)
      let sent = other
      #expect(
        await Material.code {
          _ = try await server.verify(sent, client: app, userIDForSRP: "0d1c6e2a", at: Material.now)
        } == .tooLong)
    }
  }

  /// U+212A KELVIN SIGN differs from K, and a letter with a combining accent from the precomposed letter.
  @Test func parametersByTheirBytes() throws {
    let parameters: CognitoParameters = ["DEVICE_\u{212A}EY": "1", "re\u{301}sume\u{301}": "2"]
    #expect(parameters["DEVICE_KEY"] == nil)
    #expect(parameters["r\u{E9}sum\u{E9}"] == nil)
    #expect(parameters["DEVICE_\u{212A}EY"] == "1")
    #expect((["K": "1", "\u{212A}": "2"] as CognitoParameters).count == 2)
    #expect(CognitoParameters(["a": "K"]) != CognitoParameters(["a": "\u{212A}"]))
    let read = try CognitoAuthRequest(
      json: Self.request(#""K":"1","\u212a":"2","SECRET_BLOC\u212a":"3""#)
    ).parameters
    #expect(read.count == 3 && read["K"] == "1" && read["\u{212A}"] == "2" && read["SECRET_BLOCK"] == nil)
    #expect(read.names == ["K", "SECRET_BLOC\u{212A}", "\u{212A}"])
  }

  @Test func namesByTheirBytes() async throws {
    let app = try Material.app()
    let server = try Material.server()
    func code(_ change: (inout CognitoChallengeResponse) -> Void) async throws -> SRPError.Code? {
      var answer = try await Material.answer(server)
      change(&answer)
      let sent = answer
      return await Material.code { _ = try await server.verify(sent, client: app, at: Material.now) }
    }
    for name in ["PASSWORD_CLAIM_SECRET_BLOCK", "PASSWORD_CLAIM_SIGNATURE", "TIMESTAMP", "USERNAME"] {
      let other = name.replacing("K", with: "\u{212A}").replacing("A", with: "A\u{30A}")
      #expect(
        try await code {
          $0.responses[other] = $0.responses[name]
          $0.responses[name] = nil
        } == .parameterMissing)
    }
    for name in ["PASSWORD_VERI\u{FB01}ER", "PASSWORD_VERIFIE\u{301}R", "DEVICE_PASSWORD_VERIFIER"] {
      #expect(try await code { $0.name = name } == .challengeUnexpected)
    }
    #expect(Material.code { _ = try CognitoAppClient(id: "\u{212A}") } == .clientIDMalformed)
    for pool in ["eu-west-1_\u{212A}bcdefgh", "e\u{301}u-west-1_Kbcdefgh"] {
      #expect(
        Material.code { _ = try CognitoSRPIdentity.user(userPoolID: pool, userIDForSRP: "a") }
          == .userPoolIDMalformed)
    }
    #expect(
      Material.code { _ = try CognitoSRPIdentity.device(groupKey: "-K", deviceKey: "\u{212A}_ab") }
        == .deviceKeyMalformed)
    // Names with different bytes are different users.
    for (first, second) in [("Karl", "\u{212A}arl"), ("ren\u{E9}", "rene\u{301}")] {
      let one = try CognitoSRPIdentity.user(userPoolID: Material.poolID, userIDForSRP: first)
      let other = try CognitoSRPIdentity.user(userPoolID: Material.poolID, userIDForSRP: second)
      #expect(one != other && Set([one, other]).count == 2)
      #expect(
        try CognitoPendingChallenge.context([first]) != CognitoPendingChallenge.context([second]))
      let secretApp = try Material.app(secret: "secret")
      let hash = try secretApp.secretHash(username: first)
      #expect(
        Material.code { try secretApp.check(secretHash: hash, username: second) } == .secretHashMismatch)
    }
    for exception in ["ResourceNotFoundE\u{301}xception", "ResourceNotFoundException#\u{301}"] {
      var fallback = CognitoDeviceFallback()
      let isDropped = fallback.shouldDropDevice(exception: exception, message: "Device does not exist.")
      #expect(!isDropped)
    }
    var fallback = CognitoDeviceFallback()
    let isDropped = fallback.shouldDropDevice(
      exception: "x#ResourceNotFoundException", message: "DEVICE does not exist.")
    #expect(isDropped)
  }
}
