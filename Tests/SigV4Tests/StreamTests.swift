internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Bodies that arrive in pieces.
@Suite struct StreamTests {
  static let body = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }

  struct Upload {
    var signed: SignedRequest
    var sent: [UInt8]

    init(_ layout: ChunkLayout, regionSet: Bool = false, piece: Int = 3_000) throws {
      let signer =
        regionSet
        ? try Signer(service: "s3", regionSet: ["*"]) : try Signer(service: "s3", region: "us-east-1")
      signed = try signer.sign(
        Material.head("PUT", "/key"), body: .chunks(layout), with: Material.credentials(), at: Material.now)
      var chunks = try signed.chunkSigner()
      sent = []
      for start in stride(from: 0, to: layout.decodedLength, by: piece) {
        sent += try chunks.write(Array(StreamTests.body[start..<min(start + piece, layout.decodedLength)]))
      }
      sent += try chunks.finish()
    }
  }

  private func policy() -> VerifierPolicy {
    var policy = Material.policy("s3")
    policy.algorithms = Set(SigningAlgorithm.allCases)
    policy.payloads = Set(PayloadBinding.allCases)
    return policy
  }

  private func read(
    _ head: RequestHead, _ sent: [UInt8], piece: Int, release: BodyRelease = .whenVerified()
  ) throws(SigV4Error) -> (body: [UInt8], end: StreamBinding) {
    let verifier = try RequestVerifier(policy: policy())
    guard let credentials = try? Material.credentials() else { throw .secretEmpty }
    var reader = try verifier.verifyBody(
      verifier.parse(head, at: Material.now), key: .credentials(credentials), release: release)
    var output: [UInt8] = []
    for start in stride(from: 0, to: sent.count, by: piece) {
      output += try reader.read(Array(sent[start..<min(start + piece, sent.count)]))
    }
    let end = try reader.finish()
    return (output + end.rest, end.request.binding)
  }

  @Test(
    arguments: [nil, .crc32, .crc32c, .crc64NVMe, .sha1, .sha256] as [ChecksumAlgorithm?], [false, true])
  func roundTrip(checksum: ChecksumAlgorithm?, regionSet: Bool) throws {
    for (isSigned, length, size) in [
      (true, 20_000, 8_192), (true, 0, 8_192), (true, 8_192, 8_192), (false, 20_000, 4_096),
    ]
    where isSigned || checksum != nil {
      let layout = try ChunkLayout(
        decodedLength: length, chunkSize: size, checksum: checksum, isSigned: isSigned)
      let upload = try Upload(layout, regionSet: regionSet)
      #expect(upload.sent.count == layout.encodedLength(regionSet ? .ecdsaP256SHA256 : .hmacSHA256))
      #expect(upload.signed.head["content-length"] == String(upload.sent.count))
      #expect(upload.signed.head["content-encoding"] == "aws-chunked")
      for piece in [1, 7, 1_000, 100_000] where piece > 1 || length < 10_000 || !regionSet {
        for release in [BodyRelease.whenVerified(), .immediately] {
          let (body, end) = try read(upload.signed.head, upload.sent, piece: piece, release: release)
          #expect(body == Array(Self.body[..<length]))
          let chunks = (length + size - 1) / size
          #expect(end.means == (isSigned ? .chunks(chunks) : .unsignedChecksum(checksum ?? .crc32)))
          #expect(end.trailers.keys.map(\.text) == [checksum?.headerName].compactMap { $0 })
        }
      }
    }
  }

  /// Flips each bit of a sent body: the body is refused, and no byte of the changed chunk is released.
  @Test func noBitCanBeFlipped() throws {
    let layout = try ChunkLayout(decodedLength: 40, chunkSize: 16, checksum: .crc32)
    let upload = try Upload(layout, piece: 16)
    let verifier = try RequestVerifier(policy: policy())
    let pending = try verifier.parse(upload.signed.head, at: Material.now)
    let key = VerificationKey.credentials(try Material.credentials())
    for index in upload.sent.indices {
      for bit in 0..<8 {
        var changed = upload.sent
        changed[index] ^= 1 << bit
        var reader = try verifier.verifyBody(pending, key: key)
        var output: [UInt8] = []
        var failure: SigV4Error?
        do throws(SigV4Error) {
          output += try reader.read(changed)
          _ = try reader.finish()
        } catch {
          failure = error
        }
        // Trailer names are case-insensitive, and lengths may have upper-case digits.
        let isLetter = (0x41...0x5A).contains(upload.sent[index] & 0xDF) && bit == 5
        #expect(failure != nil || isLetter, "byte \(index), bit \(bit)")
      }
    }
  }

  private func refusal(_ head: RequestHead, _ sent: [UInt8], release: BodyRelease = .whenVerified())
    -> SigV4Error.Code?
  {
    do throws(SigV4Error) {
      _ = try read(head, sent, piece: 64, release: release)
      return nil
    } catch {
      return error.code
    }
  }

  private func replaced(_ bytes: [UInt8], _ old: String, _ new: String) -> [UInt8] {
    guard let range = bytes.firstRange(of: Array(old.utf8)) else { return [] }
    return Array(bytes[..<range.lowerBound]) + Array(new.utf8) + Array(bytes[range.upperBound...])
  }

  @Test func chunksThatLie() throws {
    let upload = try Upload(ChunkLayout(decodedLength: 40, chunkSize: 16), piece: 16)
    let head = upload.signed.head
    let sent = upload.sent
    #expect(refusal(head, sent) == nil)
    #expect(refusal(head, replaced(sent, "10;", "11;")) == .chunkMalformed)
    #expect(refusal(head, replaced(sent, "10;", "f;")) == .chunkMalformed)
    #expect(refusal(head, replaced(sent, "10;", "ffffffffffff;")) == .decodedLengthMismatch)
    #expect(refusal(head, replaced(sent, "10;", "fffffffffffffffff;")) == .chunkMalformed)
    #expect(refusal(head, replaced(sent, "10;", "-10;")) == .chunkMalformed)
    #expect(refusal(head, replaced(sent, "10;", ";")) == .chunkMalformed)
    #expect(refusal(head, replaced(sent, ";chunk-signature=", ";signature=")) == .chunkMalformed)
    #expect(refusal(head, replaced(sent, ";chunk-signature=", ";a=b;chunk-signature=")) == .chunkMalformed)
    #expect(refusal(head, replaced(sent, "\r\n", "\n")) == .chunkMalformed)
    #expect(refusal(head, Array("0".utf8) + [UInt8](repeating: 0x30, count: 2_000)) == .chunkMalformed)
    #expect(refusal(head, sent + [0]) == .dataAfterEnd)
    #expect(refusal(head, Array(sent.dropLast())) == .bodyEndedEarly)
    #expect(refusal(head, []) == .bodyEndedEarly)
    // The chunks in another order, and only the last chunk.
    let chunk = 4 + 17 + 64 + 16 + 2 - 0
    let first = Array(sent[..<(chunk + 0)])
    let second = Array(sent[chunk..<(2 * chunk)])
    #expect(refusal(head, second + first + Array(sent[(2 * chunk)...])) == .chunkSignatureMismatch)
    #expect(refusal(head, first + first + Array(sent[(2 * chunk)...])) == .chunkSignatureMismatch)
    #expect(refusal(head, Array(sent[chunk...])) == .chunkSignatureMismatch)
    // An undeclared trailer.
    #expect(
      refusal(head, Array(sent.dropLast(2)) + Array("x-amz-checksum-crc32:AAAAAA==\r\n\r\n".utf8))
        == .trailerUndeclared)
    // More bytes than may be buffered.
    #expect(refusal(head, sent, release: .whenVerified(atMost: 15)) == .chunkTooLarge)
    #expect(refusal(head, sent, release: .whenVerified(atMost: 16)) == nil)
  }

  @Test(arguments: [true, false]) func trailersThatLie(isSigned: Bool) throws {
    let upload = try Upload(
      ChunkLayout(decodedLength: 40, chunkSize: 16, checksum: .crc32, isSigned: isSigned), piece: 16)
    let head = upload.signed.head
    let sent = upload.sent
    #expect(refusal(head, sent) == nil)
    #expect(
      refusal(head, replaced(sent, "x-amz-checksum-crc32:", "x-amz-checksum-sha1:")) == .trailerUndeclared)
    let wrong: SigV4Error.Code = isSigned ? .trailerSignatureMismatch : .checksumMismatch
    let value = try #require(String(decoding: sent, as: UTF8.self).firstMatch(of: /crc32:(\S+)/)).output.1
    #expect(refusal(head, replaced(sent, String(value), "AAAAAA==")) == wrong)
    #expect(refusal(head, replaced(sent, "x-amz-checksum-crc32:\(value)\r\n", "")) == .trailerMissing)
    #expect(
      refusal(head, replaced(sent, "x-amz-checksum-crc32:", "x-amz-checksum-crc32")) == .trailerMalformed)
    let line = "x-amz-checksum-crc32:\(value)\r\n"
    #expect(refusal(head, replaced(sent, line, line + line)) == .trailerMalformed)
    guard isSigned else {
      // A byte of the unsigned data.
      #expect(refusal(head, replaced(sent, "\r\n\u{0}", "\r\n\u{1}")) == .checksumMismatch)
      return
    }
    let signature = try #require(
      String(decoding: sent, as: UTF8.self).firstMatch(of: /x-amz-trailer-signature:\w+\r\n/)
    ).output
    #expect(refusal(head, replaced(sent, String(signature), "")) == .trailerMissing)
    #expect(refusal(head, replaced(sent, String(signature), String(signature) + line)) == .trailerMalformed)
    // The signature does not cover trailers after it.
    #expect(
      refusal(head, replaced(sent, line + String(signature), String(signature) + line)) == .trailerMalformed)
  }

  @Test func headsThatLie() throws {
    let layout = try ChunkLayout(decodedLength: 40, chunkSize: 16, checksum: .crc32, isSigned: false)
    func signed(_ change: (inout RequestHead) -> Void) throws -> RequestHead {
      // With a valid signature of the malformed body.
      var head = try Upload(layout, piece: 16).signed.head
      change(&head)
      let mode = head["x-amz-content-sha256"] ?? ""
      head.headers.removeAll { ["authorization", "x-amz-date"].contains($0.name.lowercased()) }
      return try Material.signedAsIs(head, mode)
    }
    func set(_ name: String, _ value: String?) -> (inout RequestHead) -> Void {
      { head in
        head.headers.removeAll { $0.name.lowercased() == name }
        if let value { head.headers.append(HeaderField(name, value)) }
      }
    }
    let sent = try Upload(layout, piece: 16).sent
    #expect(refusal(try signed { _ in }, sent) == nil)
    #expect(refusal(try signed(set("x-amz-decoded-content-length", nil)), sent) == .decodedLengthMissing)
    #expect(refusal(try signed(set("x-amz-decoded-content-length", "forty")), sent) == .decodedLengthMissing)
    #expect(refusal(try signed(set("x-amz-decoded-content-length", "41")), sent) == .decodedLengthMismatch)
    #expect(refusal(try signed(set("x-amz-decoded-content-length", "39")), sent) == .decodedLengthMismatch)
    #expect(refusal(try signed(set("x-amz-trailer", nil)), sent) == .trailerDeclaration)
    #expect(refusal(try signed(set("x-amz-trailer", "x-amz-meta-a")), sent) == .trailerDeclaration)
    #expect(
      refusal(try signed(set("x-amz-trailer", "x-amz-checksum-crc32,x-amz-checksum-crc32")), sent)
        == .trailerDeclaration)
  }

  /// One checksum is declared: in one line, or in two, which are one list.
  @Test(arguments: [
    ["x-amz-checksum-crc32,x-amz-checksum-sha256"], ["x-amz-checksum-crc32", "x-amz-checksum-sha256"],
  ])
  func severalChecksums(lines: [String]) throws {
    let layout = try ChunkLayout(decodedLength: 40, chunkSize: 16, checksum: .crc32, isSigned: false)
    let upload = try Upload(layout, piece: 16)
    var head = upload.signed.head
    head.headers.removeAll {
      ["authorization", "x-amz-date", "x-amz-trailer"].contains($0.name.lowercased())
    }
    head.headers += lines.map { HeaderField("X-Amz-Trailer", $0) }
    let data = Array(Self.body[..<40])
    let value = Base64.string(try DigestAlgorithm.sha256.hash(data.span))
    let sent = Array(upload.sent.dropLast(2)) + Array("x-amz-checksum-sha256:\(value)\r\n\r\n".utf8)
    #expect(
      refusal(try Material.signedAsIs(head, "STREAMING-UNSIGNED-PAYLOAD-TRAILER"), sent)
        == .trailerDeclaration)
  }

  @Test func wholeBodiesThatComeInPieces() throws {
    let credentials = try Material.credentials()
    for service in ["execute-api", "s3"] {
      let signed = try Material.signer(service).sign(
        Material.head("PUT", "/key"), body: .bytes(Self.body), with: credentials, at: Material.now)
      let verifier = try Material.verifier(service)
      let pending = try verifier.parse(signed.head, at: Material.now)
      for release in [BodyRelease.whenVerified(), .immediately] {
        var reader = try verifier.verifyBody(pending, key: .credentials(credentials), release: release)
        let first = try reader.read(Array(Self.body[..<100]))
        #expect(first.count == (release == .immediately ? 100 : 0))
        let second = try reader.read(Array(Self.body[100...]))
        let end = try reader.finish()
        #expect(first + second + end.rest == Self.body)
        var other = try verifier.verifyBody(pending, key: .credentials(credentials), release: release)
        _ = try other.read(Array(Self.body.dropLast()))
        var failure: SigV4Error?
        do throws(SigV4Error) { _ = try other.finish() } catch { failure = error }
        // Without a declared hash the signature covers the body's own hash, and does not match.
        #expect(failure == (service == "s3" ? .payloadHashMismatch : .signatureMismatch))
      }
      var small = try verifier.verifyBody(
        pending, key: .credentials(credentials), release: .whenVerified(atMost: 10))
      #expect(throws: SigV4Error.chunkTooLarge(size: 11, limit: 10)) {
        try small.read([UInt8](repeating: 0, count: 11))
      }
      // Every later call throws the same error.
      #expect(throws: SigV4Error.chunkTooLarge(size: 11, limit: 10)) { try small.read([]) }
    }
  }

  @Test func aSignerCountsWhatItIsGiven() throws {
    let layout = try ChunkLayout(decodedLength: 10)
    let signed = try Material.signer("s3").sign(
      Material.head("PUT", "/key"), body: .chunks(layout), with: Material.credentials(), at: Material.now)
    var more = try signed.chunkSigner()
    #expect(throws: SigV4Error.decodedLengthMismatch(declared: 10, actual: 11)) {
      try more.write([UInt8](repeating: 0, count: 11))
    }
    let less = Material.code {
      var signer = try signed.chunkSigner()
      _ = try signer.write([1, 2, 3])
      _ = try signer.finish()
    }
    #expect(less == .decodedLengthMismatch)
    #expect(Material.code { _ = try signed.eventSigner() } == .notStreamed)
    for (length, size, checksum, isSigned) in [(-1, 1, nil, true), (1, 0, nil, true), (1, 1, nil, false)]
      as [(Int, Int, ChecksumAlgorithm?, Bool)]
    {
      #expect(
        Material.code {
          _ = try ChunkLayout(decodedLength: length, chunkSize: size, checksum: checksum, isSigned: isSigned)
        } == .chunkLayout)
    }
  }

  @Test func asASequence() async throws {
    let layout = try ChunkLayout(decodedLength: Self.body.count, chunkSize: 8_192, checksum: .crc64NVMe)
    let upload = try Upload(layout)
    let pieces = AsyncStream<[UInt8]> { continuation in
      for start in stride(from: 0, to: Self.body.count, by: 999) {
        continuation.yield(Array(Self.body[start..<min(start + 999, Self.body.count)]))
      }
      continuation.finish()
    }
    var sent: [UInt8] = []
    for try await bytes in try upload.signed.chunks(of: pieces) { sent += bytes }
    #expect(sent == upload.sent)
  }
}

extension Material {
  /// Signs a request with any headers about its body.
  static func signedAsIs(_ head: RequestHead, _ mode: String) throws -> RequestHead {
    var head = head
    head.headers.append(HeaderField("X-Amz-Date", "\(now.amzDate)"))
    let values = Dictionary(grouping: head.headers) { $0.name.lowercased() }.mapValues { fields in
      fields.map { String(decoding: $0.value, as: UTF8.self) }.joined(separator: ",")
    }
    let names = values.keys.sorted()
    let lines = names.map { "\($0):\(values[$0] ?? "")\n" }.joined()
    let path = String(decoding: head.path, as: UTF8.self)
    let canonical = "\(head.method)\n\(path)\n\n\(lines)\n\(names.joined(separator: ";"))\n\(mode)"
    let hash = Hex.string(try DigestAlgorithm.sha256.hash(canonical.utf8.span))
    let scope = "20150830/us-east-1/s3/aws4_request"
    let text = "AWS4-HMAC-SHA256\n\(now.amzDate)\n\(scope)\n\(hash)"
    var key = SecretBytes(("AWS4" + secret).utf8.span)
    for part in scope.split(separator: "/").map(String.init) {
      key = try MessageAuthenticator(key: key, digest: .sha256).authenticateSecretly(part.utf8.span)
    }
    let signature = Hex.string(
      try MessageAuthenticator(key: key, digest: .sha256).authenticate(text.utf8.span))
    head.headers.append(
      HeaderField(
        "Authorization",
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/\(scope), SignedHeaders=\(names.joined(separator: ";")), Signature=\(signature)"
      ))
    return head
  }
}
