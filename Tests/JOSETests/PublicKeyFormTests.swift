internal import JOSE
internal import SigningKeyTesting
internal import Testing

/// Of published keys, private members and shared secrets are never read.
@Suite struct PublicKeyFormTests {
  private static let names = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

  private static let key = Result { try VectorKeys.rsa(keyID: "r") }

  private func text(_ object: JSONObject) -> String { JSONValue.object(object).description }

  private func code(_ body: () throws -> Void) -> JOSEError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? JOSEError)?.code
    }
  }

  private func published() throws -> JSONObject { try #require(try Self.key.get().publicJWK) }

  @Test(arguments: names)
  func privateMembersAreIgnored(name: String) throws {
    var object = try published()
    // Not base64url, and of the wrong type: it would be refused if it were read.
    object[name] = [1]
    let set = try JWKSet(json: #"{"keys":[\#(text(object))]}"#, form: .publicOnly)
    #expect(set.keys.map(\.isPrivate) == [false])
    #expect(try set.keys.first?.thumbprint() == Self.key.get().thumbprint())
    #expect(set.rejected.isEmpty)
    #expect(set.warnings.map(\.kind) == [name == "k" ? .sharedSecret : .privateMembers])
  }

  @Test(arguments: names)
  func privateMembersAreRefusedByName(name: String) throws {
    var object = try published()
    object[name] = nil
    object["n"] = "not a number"
    for value: JSONValue in ["AQAB", [1], nil] {
      object[name] = .some(value)
      #expect(throws: JOSEError.keyNotPublic(member: name)) {
        try JWK(json: text(object), form: .publicRequired)
      }
    }
  }

  @Test func sharedSecretsAreLeftOut() throws {
    let secret = try JWK.generate(.hs256, keyID: "h").privateJWK().withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
    let set = try JWKSet(json: #"{"keys":[\#(secret),\#(text(published()))]}"#, form: .publicOnly)
    #expect(set.keys.map(\.keyID) == ["r"])
    #expect(set.rejected.map(\.index) == [0])
    #expect(set.rejected.map(\.error) == [.keyNotPublic(member: "k")])
    #expect(set.warnings.map(\.index) == [0])
    #expect(set.warnings.map(\.keyID) == ["h"])
    #expect(set.warnings.map(\.kind) == [.sharedSecret])
    #expect(code { _ = try JWKSet(json: secret, form: .publicOnly) } == .keyNotPublic)
    #expect(code { _ = try JWK(json: secret, form: .publicRequired) } == .keyNotPublic)
  }

  @Test(arguments: [Algorithm.rs256, .es256, .es512, .ed25519, .ed448])
  func privateKeysAreReadAsPublic(algorithm: Algorithm) throws {
    let key = try VectorKeys.key(for: algorithm, keyID: "p")
    let read = try JWK(json: key.privateJWK(), form: .publicOnly)
    #expect(!read.isPrivate)
    #expect(try read.thumbprint() == key.thumbprint())
    #expect(code { _ = try JWK(json: key.privateJWK(), form: .publicRequired) } == .keyNotPublic)
    #expect(code { _ = try KeyFile.read(key.privatePEM(), form: .publicOnly) } == .keyNotPublic)
    let pem = try key.publicPEM()
    #expect(try KeyFile.read(SecretBytes(pem.utf8.span), form: .publicOnly).keys.count == 1)
  }

  /// The time of signing grows with the cube of the numbers' length, so lengths are checked before.
  @Test(arguments: ["d", "p", "q", "dp", "dq", "qi"])
  func privateNumbersAreNotLongerThanTheModulus(name: String) throws {
    var object = try Self.key.get().privateJWK().withBytes { bytes in
      try #require(try JSONValue(parsing: bytes.indices.map { bytes[$0] }).object)
    }
    object[name] = .string(Base64URL.string([1] + [UInt8](repeating: 0xFF, count: 256)))
    #expect(throws: JOSEError.rsaPrivateNumberSize(bits: 2049, limit: 2048)) { try JWK(json: text(object)) }
    // Leading zero bytes do not count.
    object[name] = .string(Base64URL.string([0, 0] + [UInt8](repeating: 0xFF, count: 256)))
    #expect(code { _ = try JWK(json: text(object)) } != .rsaPrivateNumberSize)
  }

  @Test func keySetsAreBounded() throws {
    func set(_ count: Int) -> String {
      #"{"keys":["# + Array(repeating: #"{"kty":"oct","k":""}"#, count: count).joined(separator: ",") + "]}"
    }
    #expect(try JWKSet(json: set(JWKSet.keyLimit)).keys.count == JWKSet.keyLimit)
    #expect(code { _ = try JWKSet(json: set(JWKSet.keyLimit + 1)) } == .keySetInvalid)
  }
}
