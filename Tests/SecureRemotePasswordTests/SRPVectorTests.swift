internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

@testable internal import SecureRemotePassword

/// Every step of both sides, compared with test vectors.
@Suite struct SRPVectorTests {
  static let cases = ["rfc5054-srp", "srp"].flatMap { (try? VectorFile.load($0).cases) ?? [] }

  @Test func theFilesAreThere() { #expect(Self.cases.count == 79) }

  @Test(arguments: cases) func bothSides(_ vector: VectorFile.Case) throws {
    let input = vector.input
    try VectorFile.Case.check(
      input,
      knows: [
        "group", "hash", "identity", "password", "salt", "a", "b", "sessionKey", "numbers", "generator",
      ])
    let expect = try #require(vector.expect)
    try VectorFile.Case.check(expect, knows: ["k", "x", "v", "A", "B", "u", "S", "K", "M1", "M2"])
    func text(_ name: String) throws -> String { try #require(input[name]?.string) }
    func want(_ name: String) throws -> [UInt8] { try Hex.decode(#require(expect[name]?.string)) }

    let bits = try #require(input["group"]?.number.flatMap { Int("\($0)") })
    let form = SRPProofForm(
      sessionKey: try text("sessionKey") == "interleaved" ? .interleaved : .digest,
      numbers: try text("numbers") == "padded" ? .padded : .shortest,
      generator: try text("generator") == "padded" ? .padded : .shortest)
    let parameters = try SRPParameters(
      group: SRPGroup(#require(SRPGroup.Standard(rawValue: bits))),
      hash: #require(SRPHash(name: text("hash"))), proof: form)
    let identity = Array(try text("identity").utf8)
    let password = Material.secret(try text("password"))
    let salt = try Hex.decode(text("salt"))
    let size = parameters.hash.algorithm.size

    if bits > 1024 || size == 20 {
      let k = try parameters.prepared.multiplier.publicBytes(count: parameters.group.size)
      #expect(Array(k.suffix(size)) == (try want("k")))
    }
    let x = try parameters.passwordExponent(identity: identity, password: password, salt: salt)
    #expect(try x.publicBytes(count: size) == want("x"))

    let verifier = try SRPVerifier(identity: identity, password: password, salt: salt, parameters: parameters)
    #expect(Material.bytes(verifier.value) == (try want("v")))

    let client = try SRPClient(parameters, privateKey: Number(Hex.decode(text("a"))))
    #expect(client.publicKey == (try want("A")))
    let a = client.publicKey
    let server = try SRPServer(parameters, privateKey: Number(Hex.decode(text("b"))))
    let challenge = try server.challenge(identity: identity, verifier: verifier)
    #expect(challenge.publicKey == (try want("B")))
    let proof = try client.respond(
      identity: identity, password: password, salt: challenge.salt, serverPublicKey: challenge.publicKey)
    #expect(proof.scramblingParameter == (try want("u")))
    #expect(Material.bytes(proof.premasterSecret) == (try want("S")))
    #expect(proof.proof == (try want("M1")))
    let session = try challenge.verify(clientPublicKey: a, proof: proof.proof)
    #expect(Material.bytes(session.premasterSecret) == (try want("S")))
    #expect(session.proof == (try want("M2")))
    let key = try proof.verify(serverProof: session.proof)
    #expect(Material.bytes(key) == (try want("K")))
    #expect(Material.bytes(session.takeKey()) == (try want("K")))
  }
}

/// The groups of RFC 5054, and custom groups.
@Suite struct GroupTests {
  static let cases = (try? VectorFile.load("rfc5054-groups").cases) ?? []

  @Test func theFileIsThere() { #expect(Self.cases.count == SRPGroup.Standard.allCases.count) }

  @Test(arguments: cases) func standardGroups(_ vector: VectorFile.Case) throws {
    let bits = try #require(vector.input["bits"]?.number.flatMap { Int("\($0)") })
    let expect = try #require(vector.expect)
    let group = try SRPGroup(#require(SRPGroup.Standard(rawValue: bits)))
    #expect(group.prime == (try Hex.decode(#require(expect["N"]?.string))))
    #expect("\(group.generator[0])" == expect["g"]?.number.map { "\($0)" })
    #expect(group.generator.count == 1)
    #expect(group.bits == bits)
    #expect(group.size * 8 == bits)
  }

  /// The smaller primes pass the check of custom groups.
  @Test func aGroupOfOnesOwn() throws {
    let known = try SRPGroup(.bits1024)
    let own = try SRPGroup(prime: [0, 0] + known.prime, generator: [0, 2])
    #expect(own.prime == known.prime)
    #expect(own.generator == [2])
    let parameters = try SRPParameters(group: own)
    let other = try SRPParameters(group: known)
    let password = Material.secret("secret")
    let verifier = try SRPVerifier(identity: [1], password: password, salt: [2], parameters: parameters)
    let same = try SRPVerifier(identity: [1], password: password, salt: [2], parameters: other)
    #expect(Material.bytes(verifier.value) == Material.bytes(same.value))
  }

  @Test func groupsThatAreRefused() throws {
    let prime = try SRPGroup(.bits1024).prime
    func code(_ prime: [UInt8], _ generator: [UInt8] = [2]) -> SRPError.Code? {
      Material.code { _ = try SRPGroup(prime: prime, generator: generator) }
    }
    #expect(code([]) == .groupSize)
    #expect(code([23]) == .groupSize)
    #expect(code(Array(prime.dropLast())) == .groupSize)
    #expect(code([UInt8](repeating: 0xFF, count: 1025)) == .groupSize)
    var even = prime
    even[127] -= 1
    #expect(code(even) == .groupNotPrime)
    var composite = prime
    composite[127] -= 2
    #expect(code(composite) == .groupNotPrime)
    #expect(code(try Hex.decode(Self.unsafePrime)) == .groupNotSafe)
    for generator in [[], [0], [1], prime, even] as [[UInt8]] {
      #expect(code(prime, generator) == .generatorUnsuitable)
    }
    #expect(code(prime, prime + [0]) == .generatorUnsuitable)
  }

  /// A random prime of 1,024 bits that is not safe.
  static let unsafePrime =
    "feed3737e1279dda5cbe8a80752b6eab1b13c95d5642f698b8012fac14d8fbf78921cce23568bdb17feb59"
    + "139b959778aca202c563c5984ee37339ce1a94f40d270d1f2b2551c061351f062c23df16e590a037573b29"
    + "79e22d3dc8e9b3b41d13d887b092f3b0057b257611138986a7dabe4adbaec14099ca3e631318f44bf0fd"
}
