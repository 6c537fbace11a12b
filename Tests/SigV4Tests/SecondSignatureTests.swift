internal import SigV4
internal import Testing
internal import TokenSecurityBase

/// A signature of ECDSA has a second form, which anyone can derive.
@Suite struct SecondSignatureTests {
  /// The second form (r, n - s) of an ECDSA signature (r, s) in hexadecimal DER.
  private static func secondForm(_ text: String) throws -> String {
    let der = try Hex.decode(text)
    let sizeOfR = Int(der[3])
    let r = Array(der[..<(4 + sizeOfR)])
    let s = Array(der[(6 + sizeOfR)...].drop { $0 == 0 })
    var rest = try Hex.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    var borrow = 0
    for index in (0..<32).reversed() {
      let place = index - (32 - s.count)
      let difference = Int(rest[index]) - borrow - (place >= 0 ? Int(s[place]) : 0)
      borrow = difference < 0 ? 1 : 0
      rest[index] = UInt8(difference + 256 * borrow)
    }
    var other = Array(rest.drop { $0 == 0 })
    if other[0] >= 0x80 { other.insert(0, at: 0) }
    var second = r + [2, UInt8(other.count)] + other
    second[1] = UInt8(second.count - 2)
    return Hex.string(second)
  }

  /// It is the same request.
  @Test func whatWasSignedCounts() async throws {
    var policy = Material.policy()
    policy.algorithms = [.ecdsaP256SHA256]
    let verifier = try RequestVerifier(policy: policy)
    let key = VerificationKey.credentials(try Material.credentials())
    let repeated = RepeatedRequests<[UInt8]>()
    let signed = try Signer(service: "execute-api", regionSet: ["us-east-1"]).sign(
      Material.head(), with: Material.credentials(), at: Material.now)
    let second = try Self.secondForm(signed.signature)
    #expect(second != signed.signature)
    var copy = signed.head
    copy.headers = copy.headers.map { field in
      HeaderField(
        field.name, String(decoding: field.value, as: UTF8.self).replacing(signed.signature, with: second))
    }
    for head in [signed.head, copy] {
      let request = try verifier.verify(verifier.parse(head, at: Material.now), key: key, body: [])
      let name = Array(request.parameters.signatureText.utf8)
      #expect(name == Array((head == copy ? second : signed.signature).utf8))
      #expect(await repeated.once(request, from: RequestOrigin()) { name } == Array(signed.signature.utf8))
    }
  }
}
