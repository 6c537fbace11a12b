internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Input of the largest size, in shapes that would take minutes if the work grew faster than the input.
@Suite struct LargeInputTests {
  @Test func anAnswerOfAmpersands() throws {
    let text = "<Error><Code>SignatureDoesNotMatch</Code><Message>"
    let many = String(repeating: "&", count: 1_000_000)
    let other = try ServerExplanation(response: Array((text + many + "</Message></Error>").utf8))
    #expect(other.message == many)
    #expect(
      Material.code {
        _ = try ServerExplanation(response: [UInt8](repeating: UInt8(ascii: "<"), count: 1_000_000))
      }
        != nil)
  }

  @Test func entitiesInAnAnswer() throws {
    func message(_ text: String) throws -> String? {
      try ServerExplanation(response: Array("<E><Code>x</Code><Message>\(text)</Message></E>".utf8)).message
    }
    #expect(try message("a&amp;b&#x41;&#66;&lt;") == "a&bAB<")
    #expect(try message("&amp") == "&amp")
    #expect(try message("&unknown;") == "&unknown;")
    #expect(try message("&#1234567;") == "&#1234567;")
    #expect(try message("&verylongname;") == "&verylongname;")
  }

  @Test func manyEventsInOneBuffer() throws {
    let one = try EventMessage(payload: [1]).encoded()
    let count = 200_000
    var bytes = Array(repeatElement(one, count: count).joined())[...]
    var found = 0
    while try EventMessage.next(in: &bytes) != nil { found += 1 }
    #expect(found == count)
  }

  @Test func manyHeadersInOneEvent() throws {
    let headers = (0..<20_000).map { EventMessage.Header("\($0)", .bool(true)) }
    var bytes = try EventMessage(headers: headers).encoded()[...]
    #expect(try EventMessage.next(in: &bytes)?.headers.count == 20_000)
  }

  @Test(arguments: [true, false]) func manySmallChunks(isSigned: Bool) throws {
    let count = isSigned ? 5_000 : 300_000
    let layout = try ChunkLayout(decodedLength: count, chunkSize: 1, checksum: .crc32, isSigned: isSigned)
    let credentials = try Material.credentials()
    let signed = try Material.signer("s3").sign(
      Material.head("PUT", "/key"), body: .chunks(layout), with: credentials, at: Material.now)
    var chunks = try signed.chunkSigner()
    var sent = try chunks.write([UInt8](repeating: 1, count: count))
    sent += try chunks.finish()
    var policy = Material.policy("s3")
    policy.payloads = [.signedChunks, .unsignedChecksum]
    let verifier = try RequestVerifier(policy: policy)
    var body = try verifier.verifyBody(
      verifier.parse(signed.head, at: Material.now), key: .credentials(credentials))
    let read = try body.read(sent)
    #expect(try read.count + body.finish().rest.count == count)
  }

  /// A head of the largest size: many headers, parameters, commas and semicolons.
  @Test func heads() throws {
    let verifier = try Material.verifier()
    func code(_ head: RequestHead) -> SigV4Error.Code? {
      Material.code { _ = try verifier.parse(head, at: Material.now) }
    }
    let authorization = "AWS4-HMAC-SHA256 " + String(repeating: "a=,", count: 2_700)
    #expect(code(Material.head("GET", "/", ["Authorization": authorization])) == .parameterUnexpected)
    let commas = "AWS4-HMAC-SHA256 " + String(repeating: ",", count: 8_000)
    #expect(code(Material.head("GET", "/", ["Authorization": commas])) == .authorizationMalformed)
    let names = (0..<2_000).map { String(10_000 + $0) }.joined(separator: ";")
    let query =
      "/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=A/20150830/r/s/aws4_request&X-Amz-Date=20150830T123600Z"
      + "&X-Amz-Expires=60&X-Amz-Signature=" + String(repeating: "0", count: 64) + "&X-Amz-SignedHeaders="
    #expect(code(Material.head("GET", query + names)) == .signedHeadersMalformed)
    #expect(
      code(Material.head("GET", query + String(repeating: ";", count: 60_000))) == .signedHeadersMalformed)
    #expect(code(Material.head("GET", "/?" + String(repeating: "x-a&", count: 16_000))) == .signatureMissing)
    #expect(code(Material.head("GET", "/?" + String(repeating: "%41", count: 21_000))) == .signatureMissing)
    #expect(code(Material.head("GET", "/" + String(repeating: "../", count: 5_000))) == .signatureMissing)
    var head = Material.head()
    for number in 0..<255 {
      head.headers.append(HeaderField("x\(number)", String(repeating: " ", count: 200)))
    }
    #expect(code(head) == .signatureMissing)
    head.headers.append(HeaderField("y", ""))
    #expect(code(head) == .tooManyHeaders)
  }
}
