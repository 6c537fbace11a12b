internal import TokenSecurityCrypto
internal import Testing

@testable internal import SecureRemotePassword

/// Sign-ins with random inputs, and refused ones.
@Suite struct SRPExchangeTests {
  static let identity = Array("alice".utf8)

  /// Runs both sides; the arguments modify values in transit.
  private func run(
    _ parameters: SRPParameters, identity: [UInt8] = identity, password: String = "password123",
    salt: ([UInt8]) -> [UInt8] = { $0 }, a: ([UInt8]) -> [UInt8] = { $0 }, b: ([UInt8]) -> [UInt8] = { $0 },
    m1: ([UInt8]) -> [UInt8] = { $0 }, m2: ([UInt8]) -> [UInt8] = { $0 }
  ) throws -> Bool {
    let verifier = try SRPVerifier(
      identity: Self.identity, password: Material.secret("password123"), parameters: parameters)
    let server = try SRPServer(parameters)
    let client = try SRPClient(parameters)
    let publicKey = client.publicKey
    let challenge = try server.challenge(identity: Self.identity, verifier: verifier)
    let proof = try client.respond(
      identity: identity, password: Material.secret(password), salt: salt(challenge.salt),
      serverPublicKey: b(challenge.publicKey))
    let session = try challenge.verify(clientPublicKey: a(publicKey), proof: m1(proof.proof))
    let key = try proof.verify(serverProof: m2(session.proof))
    return key.isEqual(to: session.takeKey())
  }

  @Test(arguments: SRPGroup.Standard.allCases, SRPHash.allCases)
  func bothSidesAgree(_ group: SRPGroup.Standard, _ hash: SRPHash) throws {
    #expect(try run(SRPParameters(group: SRPGroup(group), hash: hash, proof: .rfc2945)))
  }

  @Test func whatIsWrongNeverVerifies() throws {
    let parameters = try Material.parameters()
    func flipped(_ place: Int) -> ([UInt8]) -> [UInt8] {
      { bytes in
        var bytes = bytes
        bytes[place / 8 % bytes.count] ^= 1 << (place % 8)
        return bytes
      }
    }
    func code(_ body: () throws -> Bool) -> SRPError.Code? { Material.code { _ = try body() } }
    #expect(try run(parameters))
    #expect(code { try run(parameters, password: "password124") } == .proofMismatch)
    #expect(code { try run(parameters, password: "") } == .proofMismatch)
    #expect(code { try run(parameters, identity: Array("alicf".utf8)) } == .proofMismatch)
    #expect(code { try run(parameters, salt: { [0] + $0 }) } == .proofMismatch)
    for place in 0..<256 {
      #expect(code { try run(parameters, salt: flipped(place)) } == .proofMismatch)
      #expect(code { try run(parameters, m1: flipped(place)) } == .proofMismatch)
      #expect(code { try run(parameters, m2: flipped(place)) } == .proofMismatch)
      // A flipped top bit makes a number larger than N.
      let a = code { try run(parameters, a: flipped(4 * place + 8)) }
      #expect(a == .proofMismatch || a == .publicKeyOutOfRange)
      let b = code { try run(parameters, b: flipped(4 * place + 8)) }
      #expect(b == .proofMismatch || b == .publicKeyOutOfRange)
    }
    for shorter in [0, 1, 31, 33] {
      #expect(
        code {
          try run(
            parameters,
            m1: { Array($0.prefix(shorter)) + ([UInt8](repeating: 0, count: max(0, shorter - 32))) })
        }
          == .proofMismatch)
    }
  }

  /// A = 0, N or 2N would reveal S.
  @Test func publicKeysThatGiveTheKeyAway() throws {
    let parameters = try Material.parameters()
    let n = parameters.group.prime
    let one = [UInt8](repeating: 0, count: 127) + [1]
    var beforeN = n
    beforeN[127] -= 1
    var afterN = n
    afterN[127] += 2
    let cases: [([UInt8], SRPError.Code)] = [
      ([], .publicKeyZero), ([0], .publicKeyZero), ([UInt8](repeating: 0, count: 128), .publicKeyZero),
      ([UInt8](repeating: 0, count: 5_000), .publicKeyZero), (n, .publicKeyZero),
      ([0, 0] + n, .publicKeyZero),
      (doubled(n), .publicKeyZero), (one, .publicKeyTrivial), ([1], .publicKeyTrivial),
      (beforeN, .publicKeyTrivial), (afterN, .publicKeyOutOfRange),
      ([UInt8](repeating: 0xFF, count: 128), .publicKeyOutOfRange), ([1] + n, .publicKeyTooLong),
      (n + n, .publicKeyTooLong), ([UInt8](repeating: 1, count: 1 << 20), .publicKeyTooLong),
    ]
    for (bytes, code) in cases {
      #expect(Material.code { _ = try run(parameters, a: { _ in bytes }) } == code)
      #expect(Material.code { _ = try run(parameters, b: { _ in bytes }) } == code)
    }
  }

  private func doubled(_ number: [UInt8]) -> [UInt8] {
    var carry: UInt8 = 0
    var result: [UInt8] = []
    for byte in number.reversed() {
      result.append(byte << 1 | carry)
      carry = byte >> 7
    }
    return carry == 0 ? result.reversed() : [carry] + result.reversed()
  }

  @Test func saltsIdentitiesPasswordsOfAllSizes() throws {
    let parameters = try Material.parameters()
    func verifier(identity: Int = 1, password: Int = 1, salt: Int = 1) -> SRPError.Code? {
      Material.code {
        _ = try SRPVerifier(
          identity: [UInt8](repeating: 1, count: identity),
          password: Material.secret([UInt8](repeating: 1, count: password)),
          salt: [UInt8](repeating: 1, count: salt), parameters: parameters)
      }
    }
    #expect(verifier(salt: 0) == .empty)
    #expect(verifier(salt: 1_024) == nil)
    #expect(verifier(salt: 1_025) == .tooLong)
    #expect(verifier(identity: 0, password: 0) == nil)
    #expect(verifier(identity: 2_048, password: 4_096) == nil)
    #expect(verifier(identity: 2_049) == .tooLong)
    #expect(verifier(password: 4_097) == .tooLong)
    #expect(Material.code { _ = try run(parameters, salt: { _ in [] }) } == .empty)
    #expect(
      Material.code { _ = try run(parameters, salt: { _ in [UInt8](repeating: 0, count: 1 << 20) }) }
        == .tooLong)
    #expect(
      Material.code { _ = try run(parameters, identity: [UInt8](repeating: 0, count: 2_049)) } == .tooLong)
  }

  @Test func verifiersFromTheStore() throws {
    let group = try SRPGroup(.bits1024)
    func code(_ value: [UInt8], salt: [UInt8] = [1]) -> SRPError.Code? {
      Material.code { _ = try SRPVerifier(salt: salt, value: Material.secret(value), group: group) }
    }
    var last = group.prime
    last[127] -= 1
    var beforeLast = last
    beforeLast[127] -= 1
    for value in [[], [0], [1], group.prime, last, [1] + group.prime] as [[UInt8]] {
      #expect(code(value) == .verifierOutOfRange)
    }
    #expect(code([UInt8](repeating: 1, count: 130)) == .tooLong)
    #expect(code([2]) == nil)
    #expect(code(beforeLast) == nil)
    #expect(code([2], salt: []) == .empty)
    let short = try SRPVerifier(salt: [1], value: Material.secret([2]), group: group)
    #expect(Material.bytes(short.value) == [UInt8](repeating: 0, count: 127) + [2])
  }

  @Test func usersWhoDoNotExist() throws {
    let parameters = try Material.parameters(.bits2048)
    let records = try SimulatedVerifiers(key: Material.secret([UInt8](repeating: 3, count: 32)))
    let first = try records.verifier(identity: Self.identity, group: parameters.group)
    let again = try records.verifier(identity: Self.identity, group: parameters.group)
    let other = try records.verifier(identity: [1], saltSize: 16, group: parameters.group)
    let otherKey = try SimulatedVerifiers(key: Material.secret([UInt8](repeating: 4, count: 32)))
      .verifier(identity: Self.identity, group: parameters.group)
    #expect(first.salt == again.salt && first.salt.count == 32 && other.salt.count == 16)
    #expect(Material.bytes(first.value) == Material.bytes(again.value))
    #expect(first.salt != otherKey.salt && Material.bytes(first.value) != Material.bytes(otherKey.value))
    #expect(Material.bytes(first.value) != Material.bytes(other.value))
    let server = try SRPServer(parameters)
    let client = try SRPClient(parameters)
    let publicKey = client.publicKey
    let challenge = try server.challenge(identity: Self.identity, verifier: first)
    let proof = try client.respond(
      identity: Self.identity, password: Material.secret("password123"), salt: challenge.salt,
      serverPublicKey: challenge.publicKey)
    let sent = proof.proof
    do {
      _ = try challenge.verify(clientPublicKey: publicKey, proof: sent)
      Issue.record("nobody knows this password")
    } catch { #expect(error.code == .proofMismatch) }
    #expect(
      Material.code { _ = try SimulatedVerifiers(key: Material.secret([UInt8](repeating: 1, count: 31))) }
        == .keyTooShort)
  }

  /// Two sign-ins have no number in common.
  @Test func numbersAreDrawnAnew() throws {
    let parameters = try Material.parameters()
    var seen: Set<[UInt8]> = []
    for _ in 0..<32 { seen.insert(try SRPClient(parameters).publicKey) }
    let verifier = try SRPVerifier(identity: [1], password: Material.secret("p"), parameters: parameters)
    for _ in 0..<32 {
      seen.insert(try SRPServer(parameters).challenge(identity: [1], verifier: verifier).publicKey)
    }
    for _ in 0..<32 {
      seen.insert(try SRPVerifier(identity: [1], password: Material.secret("p"), parameters: parameters).salt)
    }
    #expect(seen.count == 96)
  }

  /// Random numbers use all bits: no byte has always or never some value.
  @Test func privateNumbersHaveAllTheirBits() throws {
    var seen = Set<UInt8>()
    for _ in 0..<64 { seen.formUnion(try Number.random(bits: 1_024).publicBytes(count: 128)) }
    #expect(seen.count == 256)
  }
}
