internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

@testable internal import SecureRemotePassword

/// Messages are bounded before they are parsed, and names are compared by bytes.
@Suite struct CognitoBoundTests {
  static func challenge(_ parameters: String, padding: Int = 0) -> [UInt8] {
    Array(
      (#"{"ChallengeName":"PASSWORD_VERIFIER","ChallengeParameters":{\#(parameters)}}"#
        + String(repeating: " ", count: padding)).utf8)
  }

  static func count(_ parameters: String, padding: Int = 0) throws -> Int {
    try CognitoChallenge(json: challenge(parameters, padding: padding)).parameters.count
  }

  static func parameters(_ count: Int) -> String {
    (0..<count).map { "\"p\($0)\":\"\"" }.joined(separator: ",")
  }

  /// The same messages with n, 2n and 4n bytes: messages above the limit are refused.
  @Test func parametersAreCounted() throws {
    for count in [0, 1, 32, 64] { #expect(try Self.count(Self.parameters(count)) == count) }
    for count in [65, 128, 256, 512, 1_024] {
      #expect(throws: SRPError.parametersTooMany(count: count, limit: 64)) {
        try Self.count(Self.parameters(count))
      }
    }
    for count in [20_000, 40_000, 80_000] {
      #expect(CognitoMaterial.code { _ = try Self.count(Self.parameters(count)) } == .messageTooLarge)
    }
  }

  @Test func bytesAreCounted() throws {
    let (size, most) = (Self.challenge("").count, 131_072)
    #expect(try Self.count("", padding: most - size) == 0)
    for factor in [1, 2, 4, 64] {
      #expect(throws: SRPError.messageTooLarge(size: factor * most + 1, limit: most)) {
        try Self.count("", padding: factor * most + 1 - size)
      }
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
    let read = try CognitoChallenge(
      json: Self.challenge(#""K":"1","\u212a":"2","SECRET_BLOC\u212a":"3""#)
    ).parameters
    #expect(read.count == 3 && read["K"] == "1" && read["\u{212A}"] == "2" && read["SECRET_BLOCK"] == nil)
    #expect(read.names == ["K", "SECRET_BLOC\u{212A}", "\u{212A}"])
  }

  @Test func namesByTheirBytes() throws {
    func code(_ change: (inout CognitoChallenge) -> Void) -> SRPError.Code? {
      CognitoMaterial.code { _ = try CognitoMaterial.answer(change: change) }
    }
    for name in ["SECRET_BLOCK", "SALT", "USER_ID_FOR_SRP"] {
      let other = name.replacing("K", with: "\u{212A}").replacing("A", with: "A\u{30A}")
        .replacing("S", with: "S\u{301}")
      #expect(
        code {
          $0.parameters[other] = $0.parameters[name]
          $0.parameters[name] = nil
        } == .parameterMissing)
    }
    for name in ["PASSWORD_VERI\u{FB01}ER", "PASSWORD_VERIFIE\u{301}R", "DEVICE_PASSWORD_VERIFIER"] {
      #expect(code { $0.name = name } == .challengeUnexpected)
    }
    #expect(CognitoMaterial.code { _ = try CognitoAppClient(id: "\u{212A}") } == .clientIDMalformed)
    for pool in ["eu-west-1_\u{212A}bcdefgh", "e\u{301}u-west-1_Kbcdefgh"] {
      #expect(
        CognitoMaterial.code { _ = try CognitoSRPIdentity.user(userPoolID: pool, userIDForSRP: "a") }
          == .userPoolIDMalformed)
    }
    #expect(
      CognitoMaterial.code { _ = try CognitoSRPIdentity.device(groupKey: "-K", deviceKey: "\u{212A}_ab") }
        == .deviceKeyMalformed)
    // Names with different bytes are different users.
    for (first, second) in [("Karl", "\u{212A}arl"), ("ren\u{E9}", "rene\u{301}")] {
      let one = try CognitoSRPIdentity.user(userPoolID: CognitoMaterial.poolID, userIDForSRP: first)
      let other = try CognitoSRPIdentity.user(userPoolID: CognitoMaterial.poolID, userIDForSRP: second)
      #expect(one != other && Set([one, other]).count == 2)
      #expect(
        try CognitoPendingChallenge.digest([], one) != CognitoPendingChallenge.digest([], other))
      let secretApp = try CognitoMaterial.app(secret: "secret")
      let hash = try secretApp.secretHash(username: first)
      #expect(
        CognitoMaterial.code { try secretApp.check(secretHash: hash, username: second) }
          == .secretHashMismatch)
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
