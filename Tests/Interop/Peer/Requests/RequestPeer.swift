internal import SigV4
internal import SigV4Credentials
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Signs, verifies and sends requests for the interoperability tests: one JSON object per line in, one out.
///
///     {"op": "sign", …}     → the signed request, its canonical request and its signature
///     {"op": "verify", …}   → the canonical request, and the error code or null
///     {"op": "send", …}     → signs and sends the request, and returns the status and the body
///     {"op": "role", …}     → assumes a role with AWS STS, by a web identity or with credentials
enum RequestPeer {
  static func run() async {
    await Question.answerAll { question in
      do {
        return try await question.answerRequest()
      } catch let error as SigV4Error {
        return ["error": .string(error.codeText)]
      } catch let error as TransportError {
        return ["error": .string(error.codeText), "message": .string("\(error)")]
      } catch let error as CredentialsError {
        return ["error": .string(error.codeText), "message": .string("\(error)")]
      }
    }
  }
}

extension Question {
  private func bytes(_ name: String) throws -> [UInt8] { try Base64.decode(text(name)) }

  private var date: Timestamp { get throws { try Timestamp(amzDate: text("date")) } }

  private func credentials() throws -> Credentials {
    try Credentials(
      accessKeyID: text("access_key"), secretAccessKey: SecretBytes(text("secret").utf8.span),
      sessionToken: object["token"]?.string)
  }

  private func head() -> RequestHead {
    var head = RequestHead(text("method"), text("target"))
    head.headers = (object["headers"]?.array ?? []).map { pair in
      let texts = pair.array?.compactMap { $0.string } ?? []
      return HeaderField(texts[0], texts[1])
    }
    return head
  }

  private func signer() throws -> Signer {
    flag("v4a") == true
      ? try Signer(service: text("service"), regionSet: [text("region")])
      : try Signer(service: text("service"), region: text("region"))
  }

  fileprivate func answerRequest() async throws -> JSONObject {
    switch text("op") {
    case "sign": return try signed().answer
    case "verify": return try verified()
    case "send": return try await sent()
    case "role": return try await role()
    default: return ["error": "unknown op"]
    }
  }

  private func signed() throws -> (answer: JSONObject, head: RequestHead, body: [UInt8]) {
    let body = try bytes("body")
    let credentials = try credentials()
    let signer = try signer()
    if let expires = number("expires") {
      let signed = try signer.presign(
        head(), expiresIn: .seconds(expires), body: body.isEmpty ? .none : .bytes(body), with: credentials,
        at: date)
      return (describe(signed), signed.head, body)
    }
    guard let size = number("chunk_size") else {
      let signed = try signer.sign(head(), body: .bytes(body), with: credentials, at: date)
      return (describe(signed), signed.head, body)
    }
    let layout = try ChunkLayout(
      decodedLength: body.count, chunkSize: Int(size),
      checksum: object["checksum"]?.string.flatMap { ChecksumAlgorithm(name: $0) },
      isSigned: flag("unsigned") != true)
    let signed = try signer.sign(head(), body: .chunks(layout), with: credentials, at: date)
    var chunks = try signed.chunkSigner()
    var encoded = try chunks.write(body)
    encoded += try chunks.finish()
    return (describe(signed), signed.head, encoded)
  }

  private func describe(_ signed: SignedRequest) -> JSONObject {
    [
      "target": .string(String(decoding: signed.head.target, as: UTF8.self)),
      "headers": .array(
        signed.head.headers.map {
          .array([.string($0.name), .string(String(decoding: $0.value, as: UTF8.self))])
        }),
      "canonical_request": .string(signed.canonicalRequest.description),
      "string_to_sign": .string(String(decoding: signed.stringToSign, as: UTF8.self)),
      "signature": .string(signed.signature),
    ]
  }

  private func verified() throws -> JSONObject {
    var policy = VerifierPolicy(
      service: text("service"), region: text("region"),
      hosts: .unchecked(because: "the generator has several"))
    policy.algorithms = Set(SigningAlgorithm.allCases)
    policy.placements = [.header, .query]
    policy.payloads = Set(PayloadBinding.allCases)
    // Members that the request does not name have their default.
    policy.acceptedAmbiguities =
      flag("strict") == true ? [] : Set(RequestAmbiguity.allCases)
    policy.acceptedUnsignedHeaders = Set(
      (object["accept_unsigned"]?.array ?? []).compactMap { value in
        value.string.flatMap { VerifierPolicy.UnsignedHeader(name: $0) }
      })
    if flag("plus_as_space") == true { policy.plusInQuery = .space }
    let verifier = try RequestVerifier(policy: policy)
    let message = HTTPMessage(head: head(), body: try bytes("body"))
    var key = VerificationKey.credentials(try credentials())
    if flag("v4a") == true { key = .publicKey(try ECDSASigningKey(credentials()).publicKey) }
    let now = object["date"] == nil ? Timestamp.now : try date
    let explanation = verifier.explain(message, key: key, at: now)
    return [
      "error": explanation.error.map { .string($0.codeText) } ?? .null,
      "canonical_request": .string(explanation.canonicalRequest?.description ?? ""),
      "payload": .string(
        explanation.canonicalRequest?.description.split(separator: "\n").last.map(String.init) ?? ""),
    ]
  }

  private func sent() async throws -> JSONObject {
    let (_, head, body) = try signed()
    let response = try await HTTPClientTransport().send(
      TransportRequest(head, body: body, to: text("endpoint"), limits: RoleRequest.limits))
    return [
      "status": .number(JSONNumber(response.status)),
      "body": .string(String(decoding: response.body, as: UTF8.self)),
    ]
  }

  private func role() async throws -> JSONObject {
    let transport = HTTPClientTransport()
    let request = try RoleRequest(roleARN: text("role"), endpoint: HTTPURL(text("endpoint")))
    let source: any CredentialsSource
    if let path = object["token_file"]?.string {
      source = WebIdentityCredentials(tokenPath: path, request: request, transport: transport)
    } else {
      source = AssumedRoleCredentials(
        source: StaticCredentials(try credentials()), request: request, transport: transport)
    }
    let found = try await source.credentials(at: .now)
    return [
      "access_key": .string(found.accessKeyID), "token": found.sessionToken.map(JSONValue.string) ?? .null,
      "seconds": .number(JSONNumber((found.expiration?.seconds ?? 0) - Timestamp.now.seconds)),
    ]
  }
}
