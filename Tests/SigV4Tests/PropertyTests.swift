internal import SigV4
internal import Testing
internal import TokenSecurityCrypto
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Properties of every request that can be built.
@Suite struct PropertyTests {
  /// A random request.
  private func request(_ random: inout SeededGenerator) -> (head: RequestHead, body: [UInt8]) {
    func text(_ alphabet: String, _ length: ClosedRange<Int>, _ random: inout SeededGenerator) -> String {
      let letters = Array(alphabet)
      return String(
        (0..<Int.random(in: length, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" }
      )
    }
    let pathLetters = "abcXYZ019-._~$&'()*+,;=:@!"
    let segments = (0..<Int.random(in: 0...4, using: &random)).map { _ in
      text(pathLetters, 0...6, &random) + (Bool.random(using: &random) ? "%20%E1%88%B4%2f" : "")
    }
    let pairs = (0..<Int.random(in: 0...5, using: &random)).map { _ in
      text("abAB01-._~%", 1...4, &random).replacing("%", with: "%2B")
        + (Bool.random(using: &random)
          ? "=" + text("abAB01-._~+/=%", 0...6, &random).replacing("%", with: "%7e") : "")
    }
    let target =
      "/" + segments.joined(separator: "/") + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
    var head = Material.head(["GET", "PUT", "POST", "DELETE"].randomElement(using: &random) ?? "GET", target)
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let name = "X-" + text("abAB-", 1...4, &random)
      head.headers.append(HeaderField(name, text("ab cd\t,;\"=é", 0...12, &random)))
    }
    if Bool.random(using: &random) {
      head.headers.append(HeaderField("Content-Type", "text/plain; charset=utf-8"))
    }
    let body = (0..<Int.random(in: 0...40, using: &random)).map { _ in
      UInt8.random(in: .min ... .max, using: &random)
    }
    return (head, body)
  }

  private func verifier(_ service: String) throws -> RequestVerifier {
    var policy = Material.policy(service)
    policy.acceptedAmbiguities = Set(RequestAmbiguity.allCases)
    policy.algorithms = Set(SigningAlgorithm.allCases)
    return try RequestVerifier(policy: policy)
  }

  @Test(arguments: ["execute-api", "s3"]) func whatIsSignedVerifies(service: String) throws {
    var random = SeededGenerator(seed: 4)
    let credentials = try Material.credentials()
    let signer = try Material.signer(service)
    let verifier = try verifier(service)
    for _ in 0..<TestScale.count(1_000) {
      let (head, body) = request(&random)
      let signed = try signer.sign(head, body: .bytes(body), with: credentials, at: Material.now)
      let pending = try verifier.parse(signed.head, at: Material.now)
      let verified = try verifier.verify(pending, key: .credentials(credentials), body: body)
      #expect(verified.binding.sha256.count == 32)

      let url = try signer.presign(
        head, expiresIn: .seconds(60), body: .bytes(body), with: credentials, at: Material.now)
      // S3 requires the hash in a header: an undeclared body is unsigned.
      guard service != "s3" else { continue }
      let presigned = try verifier.parse(url.head, at: Material.now)
      _ = try verifier.verify(presigned, key: .credentials(credentials), body: body)
    }
  }

  @Test func whatIsSignedForManyRegionsVerifies() throws {
    var random = SeededGenerator(seed: 5)
    let credentials = try Material.credentials()
    let signer = try Signer(service: "execute-api", regionSet: ["eu-*", "us-east-1"])
    let verifier = try verifier("execute-api")
    let publicKey = try ECDSASigningKey(credentials).publicKey
    for _ in 0..<TestScale.count(100) {
      let (head, body) = request(&random)
      let signed = try signer.sign(head, body: .bytes(body), with: credentials, at: Material.now)
      let pending = try verifier.parse(signed.head, at: Material.now)
      _ = try verifier.verify(pending, key: .publicKey(publicKey), body: body)
      _ = try verifier.verify(pending, key: .credentials(credentials), body: body)
    }
  }

  /// Flips each bit of a request: it is refused, or its canonical form is equal.
  @Test(arguments: [UInt64](1...6)) func noBitCanBeFlipped(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let credentials = try Material.credentials()
    let (head, body) = request(&random)
    let signed = try Material.signer().sign(head, body: .bytes(body), with: credentials, at: Material.now)
    let verifier = try verifier("execute-api")
    let original = HTTPMessage(head: signed.head, body: body).bytes
    var refused = 0
    for index in original.indices {
      for bit in 0..<8 {
        var changed = original
        changed[index] ^= 1 << bit
        do throws(SigV4Error) {
          let message = try HTTPMessage(parsing: changed)
          let pending = try verifier.parse(message.head, at: Material.now)
          let verified = try verifier.verify(pending, key: .credentials(credentials), body: message.body)
          let again = try Material.resigned(verified.head, message.body)
          #expect(again.canonicalRequest == signed.canonicalRequest, "byte \(index), bit \(bit)")
        } catch {
          refused += 1
        }
      }
    }
    #expect(refused > original.count * 6)
  }
}

extension Material {
  /// Signs the request again to get its canonical form.
  static func resigned(_ head: RequestHead, _ body: [UInt8]) throws(SigV4Error) -> SignedRequest {
    guard let credentials = try? credentials(), let signer = try? signer() else {
      throw .signingKeyUnavailable
    }
    var unsigned = head
    unsigned.headers.removeAll { $0.name.lowercased() == "authorization" }
    return try signer.sign(unsigned, body: .bytes(body), with: credentials, at: now)
  }
}
