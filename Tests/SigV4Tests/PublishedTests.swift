internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

/// Values that AWS published outside its suite.
@Suite struct PublishedTests {
  static let cases: [VectorFile.Case] = (try? VectorFile.load("sigv4").cases) ?? []

  struct Input {
    let object: JSONObject
    let credentials: Credentials

    init(_ test: VectorFile.Case, knows names: Set<String>) throws {
      object = test.input
      try VectorFile.Case.check(
        object, knows: names.union(["kind", "access_key", "secret", "region", "service", "date"]))
      let secret = try #require(object["secret"]?.string)
      credentials = try Credentials(
        accessKeyID: #require(object["access_key"]?.string), secretAccessKey: SecretBytes(secret.utf8.span))
    }

    func text(_ name: String) throws -> String { try #require(object[name]?.string, "\(name)") }
    func number(_ name: String) throws -> Int {
      let number = try #require(object[name]?.number?.int64, "\(name)")
      return Int(number)
    }
    var date: Timestamp { get throws { try Timestamp(amzDate: text("date")) } }
    var signer: Signer { get throws { try Signer(service: text("service"), region: text("region")) } }

    var head: RequestHead {
      get throws {
        var head = RequestHead(try text("method"), try text("target"))
        head.headers = try fields("headers").map { HeaderField($0.name, $0.value) }
        return head
      }
    }

    func fields(_ name: String) throws -> [(name: String, value: String)] {
      try #require(object[name]?.array).map { pair in
        let texts = pair.array?.compactMap { $0.string } ?? []
        try #require(texts.count == 2)
        return (name: texts[0], value: texts[1])
      }
    }
  }

  static func of(_ kind: String) -> [VectorFile.Case] { cases.filter { $0.input["kind"]?.string == kind } }

  @Test func everyCaseHasARunner() {
    #expect(Self.cases.count == 12)
    #expect(
      Set(Self.cases.compactMap { $0.input["kind"]?.string })
        == ["header", "query", "chunks", "key", "pair", "event", "post"])
  }

  @Test(arguments: of("header")) func header(_ test: VectorFile.Case) throws {
    let input = try Input(test, knows: ["method", "target", "headers", "body"])
    let expect = try #require(test.expect)
    try VectorFile.Case.check(expect, knows: ["signature", "canonical_request_sha256", "signing_key"])
    let body = try input.text("body")
    let signed = try input.signer.sign(
      input.head, body: .bytes(Array(body.utf8)), with: input.credentials, at: input.date)
    #expect(signed.signature == expect["signature"]?.string)
    if let hash = expect["canonical_request_sha256"]?.string {
      #expect(try Hex.string(signed.canonicalRequest.hash()) == hash)
    }
    if let key = expect["signing_key"]?.string { #expect(try signingKey(input) == key) }
  }

  @Test(arguments: of("query")) func query(_ test: VectorFile.Case) throws {
    let input = try Input(test, knows: ["method", "target", "headers", "body", "expires"])
    let signed = try input.signer.presign(
      input.head, expiresIn: .seconds(Int64(input.number("expires"))), with: input.credentials, at: input.date
    )
    #expect(signed.signature == test.expect?["signature"]?.string)
  }

  private func signingKey(_ input: Input) throws -> String {
    let key = try ScopedSigningKey(
      input.credentials, date: input.date, region: input.text("region"), service: input.text("service"))
    return key.withStoredBytes { Hex.string([UInt8](unwipedCopy: $0)) }
  }

  @Test(arguments: of("key")) func key(_ test: VectorFile.Case) throws {
    let input = try Input(test, knows: [])
    #expect(try signingKey(input) == test.expect?["signing_key"]?.string)
  }

  @Test(arguments: of("pair")) func pair(_ test: VectorFile.Case) throws {
    let input = try Input(test, knows: [])
    let key = try ECDSASigningKey(input.credentials).publicKey
    #expect(Hex.string(key.x) == test.expect?["x"]?.string)
    #expect(Hex.string(key.y) == test.expect?["y"]?.string)
  }

  @Test(arguments: of("chunks")) func chunks(_ test: VectorFile.Case) throws {
    let input = try Input(
      test,
      knows: [
        "method", "target", "headers", "body", "decoded_length", "chunk_size", "checksum",
        "declares_content_length",
      ])
    let expect = try #require(test.expect)
    try VectorFile.Case.check(
      expect, knows: ["signature", "chunks", "encoded_length", "trailer", "trailer_signature"])
    let checksum = input.object["checksum"]?.string.flatMap { ChecksumAlgorithm(name: $0) }
    let layout = try ChunkLayout(
      decodedLength: input.number("decoded_length"), chunkSize: input.number("chunk_size"),
      checksum: checksum,
      declaresContentLength: input.object["declares_content_length"]?.bool ?? true)
    let signed = try input.signer.sign(
      input.head, body: .chunks(layout), with: input.credentials, at: input.date)
    #expect(signed.signature == expect["signature"]?.string)

    var signer = try signed.chunkSigner()
    let body = [UInt8](repeating: UInt8(ascii: "a"), count: layout.decodedLength)
    var sent = try signer.write(body)
    sent += try signer.finish()
    #expect(sent.count == layout.encodedLength())
    if let length = expect["encoded_length"]?.number?.int64 { #expect(sent.count == Int(length)) }
    let text = String(decoding: sent, as: UTF8.self)
    let found = text.split(separator: ";chunk-signature=").dropFirst().map { String($0.prefix(64)) }
    #expect(found == expect["chunks"]?.array?.compactMap { $0.string })
    if let trailer = expect["trailer"]?.string, let signature = expect["trailer_signature"]?.string {
      #expect(text.hasSuffix("\r\n\(trailer)\r\nx-amz-trailer-signature:\(signature)\r\n\r\n"))
    }

    var policy = VerifierPolicy(service: "s3", region: "us-east-1", hosts: .oneOf(["s3.amazonaws.com"]))
    policy.payloads = [.signedChunks]
    let verifier = try RequestVerifier(policy: policy)
    let pending = try verifier.parse(signed.head, at: input.date)
    var reader = try verifier.verifyBody(pending, key: .credentials(input.credentials))
    let read = try reader.read(sent)
    let end = try reader.finish()
    #expect(read + end.rest == body)
    #expect(end.request.binding.means == .chunks(2))
  }

  @Test(arguments: of("event")) func event(_ test: VectorFile.Case) throws {
    let input = try Input(test, knows: ["previous", "header", "payload"])
    let previous = try DigestAlgorithm.sha256.hash(input.text("previous").utf8.span)
    let key = try ScopedSigningKey(
      input.credentials, date: input.date, region: input.text("region"), service: input.text("service"))
    let header = try #require(input.object["header"]?.array?.compactMap { $0.string })
    let event = EventMessage(
      headers: [.init(header[0], .string(header[1]))], payload: Array(try input.text("payload").utf8))
    var signer = EventSigner(key: key, seed: Hex.string(previous))
    var bytes = try signer.sign(event, at: input.date)[...]
    let next = try EventMessage.next(in: &bytes)
    let message = try #require(next)
    #expect(bytes.isEmpty)
    let signature = try Hex.decode(#require(test.expect?["signature"]?.string))
    #expect(message[":chunk-signature"] == .bytes(signature))
    #expect(try message[":date"] == .timestamp(input.date.seconds * 1_000))
    var inner = message.payload[...]
    #expect(try EventMessage.next(in: &inner) == event)
  }

  @Test(arguments: of("post")) func post(_ test: VectorFile.Case) throws {
    let input = try Input(test, knows: ["fields"])
    let signature = try #require(test.expect?["signature"]?.string)
    let fields = try input.fields("fields")
    let verifier = try RequestVerifier(
      policy: VerifierPolicy(
        service: "s3", region: "us-east-1", hosts: .unchecked(because: "forms have none")))
    let now = try input.date.advanced(bySeconds: 60)
    let pending = try verifier.parsePost(
      fields + [(name: "x-amz-signature", value: signature)], contentLength: 1, at: now)
    let key = VerificationKey.credentials(input.credentials)
    #expect(try verifier.verify(pending, key: key).fields["acl"] == "public-read")
    let wrong = try verifier.parsePost(
      fields + [(name: "x-amz-signature", value: "0" + signature.dropFirst())], contentLength: 1, at: now)
    #expect(throws: SigV4Error.signatureMismatch) { try verifier.verify(wrong, key: key) }
  }
}
