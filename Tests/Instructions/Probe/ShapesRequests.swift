internal import SigV4
internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension Shape {
  /// Signed requests: heads, queries, policies, and what explains a refusal.
  static func requests() throws -> [Shape] {
    let sample = try SampleRequest()
    let fields = sample.sent.headers
    func head(
      _ name: String, from size: Int, ends outcome: String, _ make: @escaping (Int) throws -> RequestHead
    ) -> Shape {
      Shape("request-" + name, from: size, ends: outcome) { size in
        let head = try make(size)
        return {
          _ = try sample.verifier.verify(
            sample.verifier.parse(head, at: SampleRequest.date), key: .credentials(sample.credentials),
            body: SampleRequest.body)
        }
      }
    }
    func with(_ more: [HeaderField]) -> RequestHead {
      RequestHead(method: "POST", path: [UInt8(ascii: "/")], headers: fields + more)
    }
    func authorized(_ value: String, _ more: [HeaderField] = []) -> RequestHead {
      let others = fields.filter { $0.name != "Authorization" }
      return RequestHead(
        method: "POST", path: [UInt8(ascii: "/")],
        headers: others + more + [HeaderField("Authorization", value)])
    }
    let credential = "Credential=AKIDEXAMPLE/20260905/us-east-1/cognito-identity/aws4_request"
    let signature = "Signature=" + String(repeating: "a", count: 64)
    return [
      head("headers", from: 1_500, ends: "ok") { size in
        with((0..<size / 24).map { HeaderField("n\($0)", String(repeating: "v", count: 16)) })
      },
      head("one-header-name", from: 1_500, ends: "ok") { size in
        with((0..<size / 24).map { HeaderField("same", "value \($0)") })
      },
      head("long-value", from: 8_192, ends: "ok") {
        with([HeaderField("n", String(repeating: "v", count: $0))])
      },
      head("spaces", from: 8_192, ends: "ok") {
        with([HeaderField("n", "a" + String(repeating: " ", count: $0) + "b")])
      },
      head("signed-headers", from: 1_500, ends: "header_unsigned") { size in
        let count = size / 24
        let names = (0..<count).map { "n\(10_000 + $0)" }
        return authorized(
          "AWS4-HMAC-SHA256 \(credential), SignedHeaders=host;\(names.joined(separator: ";"));x-amz-date, \(signature)",
          names.map { HeaderField($0, "v") })
      },
      head("signed-header-list", from: 8_192, ends: "authorization_malformed") { size in
        authorized(
          "AWS4-HMAC-SHA256 \(credential), SignedHeaders=" + filled(size, separator: ";") { "n\($0)" }
            + ", \(signature)")
      },
      head("authorization-parts", from: 8_192, ends: "authorization_malformed") { size in
        authorized("AWS4-HMAC-SHA256 " + filled(size, separator: ", ") { "p\($0)=1" })
      },
      head("credential-slashes", from: 8_192, ends: "authorization_malformed") { size in
        authorized(
          "AWS4-HMAC-SHA256 Credential=" + String(repeating: "/", count: size)
            + ", SignedHeaders=host, \(signature)")
      },
      head("query", from: 8_192, ends: "signature_mismatch") { size in
        RequestHead(
          method: "POST", path: [UInt8(ascii: "/")],
          query: Array(filled(size, separator: "&") { "q\($0)=1" }.utf8),
          headers: fields)
      },
      head("query-one-name", from: 8_192, ends: "signature_mismatch") { size in
        RequestHead(
          method: "POST", path: [UInt8(ascii: "/")],
          query: Array(filled(size, separator: "&") { _ in "q=1" }.utf8),
          headers: fields)
      },
      head("query-percent", from: 8_192, ends: "signature_mismatch") { size in
        RequestHead(
          method: "POST", path: [UInt8(ascii: "/")], query: Array(("a=" + filled(size) { _ in "%41" }).utf8),
          headers: fields)
      },
      head("path-segments", from: 4_000, ends: "signature_mismatch") { size in
        RequestHead(method: "POST", path: Array(filled(size) { _ in "/a" }.utf8), headers: fields)
      },
      head("path-dots", from: 4_000, ends: "ambiguous") { size in
        RequestHead(method: "POST", path: Array(filled(size) { _ in "/a/.." }.utf8), headers: fields)
      },
      Shape("request-bytes", from: 8_192, ends: "ok") { size in
        let text = "GET / HTTP/1.1\r\nHost: a\r\n" + filled(size) { "n\($0 % 200): value\r\n" } + "\r\n"
        let bytes = Array(text.utf8)
        return {
          _ = try HTTPMessage(
            parsing: bytes, limits: RequestLimits(headerCount: 100_000, headerBytes: 1 << 20))
        }
      },
      Shape("post-policy", from: 1_400, ends: "ok") { size in
        let json =
          "{\"expiration\":\"2026-09-05T10:00:00.000Z\",\"conditions\":["
          + filled(size, separator: ",") { "[\"starts-with\",\"$f\($0)\",\"\"]" } + "]}"
        let text = Base64.string(Array(json.utf8))
        return { _ = try PostPolicy(base64: text) }
      },
      Shape("explained-request", from: 1_500, ends: "ok") { size in
        let head = with((0..<size / 24).map { HeaderField("n\($0)", "v") })
        return {
          _ = sample.verifier.explain(
            HTTPMessage(head: head, body: SampleRequest.body), key: .credentials(sample.credentials),
            at: SampleRequest.date)
        }
      },
      Shape("service-error", from: 16_384, ends: "message_malformed") { size in
        let text = Array(("<Error>" + filled(size) { "<a\($0)>x</a\($0)>" } + "</Error>").utf8)
        return { _ = try ServerExplanation(response: text) }
      },
      Shape("credentials-file", from: 16_384, ends: "ok") { size in
        let text = Array(filled(size) { "[profile p\($0)]\naws_access_key_id = a\n" }.utf8)
        return { _ = try CredentialTexts.sharedFile(text) }
      },
      Shape("credentials-lines", from: 16_384, ends: "ok") { size in
        let text = Array(("[default]\n" + filled(size) { "key\($0) = a\n" }).utf8)
        return { _ = try CredentialTexts.sharedFile(text) }
      },
    ]
  }

  /// Bodies in chunks, and event streams.
  static func bodies() throws -> [Shape] {
    let sample = try SampleRequest()
    var policy = VerifierPolicy(service: "s3", region: "us-east-1", hosts: .oneOf(["b.example"]))
    policy.payloads = [.hash, .signedChunks, .unsignedChecksum]
    let verifier = try RequestVerifier(policy: policy)
    let signer = try Signer(service: "s3", region: "us-east-1")
    let head = RequestHead("PUT", "/key", headers: ["Host": "b.example"])
    func body(_ name: String, piece: Int, chunk: Int) -> Shape {
      Shape(name, from: 65_536) { size in
        let data = [UInt8](repeating: 7, count: size)
        let signed = try signer.sign(
          head, body: .chunks(ChunkLayout(decodedLength: size, chunkSize: chunk)), with: sample.credentials,
          at: SampleRequest.date)
        var chunks = try signed.chunkSigner()
        let sent = try chunks.write(data) + chunks.finish()
        return {
          var reader = try verifier.verifyBody(
            verifier.parse(signed.head, at: SampleRequest.date), key: .credentials(sample.credentials),
            release: .whenVerified())
          for start in stride(from: 0, to: sent.count, by: piece) {
            _ = try reader.read(Array(sent[start..<min(start + piece, sent.count)]))
          }
          _ = try reader.finish()
        }
      }
    }
    return [
      body("chunks-in-small-pieces", piece: 7, chunk: 8_192),
      body("chunks-at-once", piece: 1 << 22, chunk: 8_192),
      body("chunks-tiny", piece: 65_536, chunk: 64),
      Shape("event-headers", from: 16_384, ends: "ok") { size in
        let message = EventMessage(
          headers: (0..<size / 24).map { .init("n\($0)", .string("a value of text")) })
        let bytes = try message.encoded()
        return {
          var rest = bytes[...]
          _ = try EventMessage.next(in: &rest)
        }
      },
      Shape("event-messages", from: 65_536, ends: "ok") { size in
        let message = try EventMessage(headers: [.init("n", .string("v"))], payload: [1, 2, 3]).encoded()
        let bytes = (0..<size / message.count).flatMap { _ in message }
        return {
          var rest = bytes[...]
          while try EventMessage.next(in: &rest) != nil {}
        }
      },
    ]
  }
}
