internal import SigV4
internal import Testing

/// Requests by the URL that they are sent to, and whole requests verified in one call.
@Suite struct URLTests {
  private func credentials() throws -> Credentials {
    try Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: SecretBytes("secret"))
  }

  @Test(arguments: [
    ("https://api.example.com/a%20b?x=1&y", "api.example.com", "/a%20b?x=1&y"),
    ("https://API.example.com", "api.example.com", "/"),
    ("https://api.example.com?x=1", "api.example.com", "/?x=1"),
    ("https://api.example.com:443/", "api.example.com", "/"),
    ("http://api.example.com:8080/a//b", "api.example.com:8080", "/a//b"),
    ("http://[::1]:9000/a", "[::1]:9000", "/a"),
    ("http://api.example.com/", "api.example.com", "/"),
    ("http://api.example.com:443/", "api.example.com:443", "/"),
    (
      "https://api.example.com/" + String(repeating: "k", count: 4_000), "api.example.com",
      "/" + String(repeating: "k", count: 4_000)
    ),
  ])
  func urls(_ url: String, host: String, target: String) throws {
    let head = try RequestHead("GET", url: url, headers: ["X-A": "b"])
    #expect(head["host"] == host && head["x-a"] == "b" && head.headers.count == 2)
    #expect(String(decoding: head.target, as: UTF8.self) == target)
  }

  @Test(arguments: [
    "", "api.example.com/", "ftp://api.example.com/", "https://", "https:///a",
    "https://user@api.example.com/",
    "https://api.example.com/#a", "https://api.example.com/a b", "https://api.example.com/\r\nX-A: b",
    "https://api.example.com/ä", "https://api.example.com:0/", "https://0x7f.1/", "/a", "https:/a",
  ])
  func refusedURLs(_ url: String) {
    let error = #expect(throws: SigV4Error.self) { try RequestHead("GET", url: url) }
    #expect(error?.code == .messageMalformed)
  }

  @Test func presignsAURL() throws {
    let signer = try Signer(service: "execute-api", region: "eu-west-1")
    let signed = try signer.presign(
      "GET", "https://api.example.com/items?x=1", expiresIn: .seconds(300), headers: ["X-A": "b"],
      with: credentials())
    let longer = try signer.presign(
      RequestHead("GET", "/items?x=1", headers: ["Host": "api.example.com", "X-A": "b"]),
      expiresIn: .seconds(300), with: credentials(), at: signed.date)
    #expect(signed.url == longer.url && signed.url.hasPrefix("https://api.example.com/items?x=1&"))
    #expect(signed.url.contains("X-Amz-Expires=300&") && signed.url.contains("host%3Bx-a"))
    let error = #expect(throws: SigV4Error.self) {
      try signer.presign("GET", "api.example.com", expiresIn: .seconds(300), with: credentials())
    }
    #expect(error?.code == .messageMalformed)
  }

  /// A service on this machine, without TLS.
  @Test(arguments: ["http://localhost:9000/a?x=1", "HTTP://localhost:9000/a?x=1"])
  func aPresignedURLKeepsItsScheme(_ url: String) throws {
    let signed = try Signer(service: "s3", region: "eu-west-1").presign(
      "GET", url, expiresIn: .seconds(300), with: credentials())
    #expect(signed.url.hasPrefix("http://localhost:9000/a?x=1&X-Amz-Algorithm="))
  }

  @Test func signsAndVerifiesInOneCall() throws {
    let signer = try Signer(service: "execute-api", region: "eu-west-1")
    let body = Array("{}".utf8)
    let signed = try signer.sign(
      "POST", "https://api.example.com/items", headers: ["Content-Type": "application/json"], body: body,
      with: credentials())
    let longer = try signer.sign(
      RequestHead(
        "POST", "/items", headers: ["Host": "api.example.com", "Content-Type": "application/json"]),
      body: .bytes(body), with: credentials(), at: signed.date)
    #expect(signed.signature == longer.signature)
    let ofBytes = try signer.sign(
      "POST", "https://api.example.com/items", headers: ["Content-Type": "application/json"],
      body: "{}".utf8, with: credentials(), at: signed.date)
    #expect(ofBytes.signature == longer.signature)

    let verifier = try RequestVerifier(
      policy: VerifierPolicy(service: "execute-api", region: "eu-west-1", hosts: .oneOf(["api.example.com"])))
    var message = HTTPMessage(head: signed.head, body: body)
    let known = try credentials()
    let byCredentials = try verifier.verify(message) { id in id == known.accessKeyID ? known : nil }
    let secrets = ["AKIDEXAMPLE": "secret"]
    let bySecret = try verifier.verify(message) { id in secrets[id] }
    #expect(byCredentials.accessKeyID == "AKIDEXAMPLE" && bySecret.accessKeyID == "AKIDEXAMPLE")

    #expect(throws: SigV4Error.self) { try verifier.verify(message) { _ in nil as Credentials? } }
    func code(_ secrets: [String: String]) -> SigV4Error.Code? {
      do {
        _ = try verifier.verify(message) { id in secrets[id] }
        return nil
      } catch { return error.code }
    }
    #expect(code([:]) == .accessKeyUnknown)
    #expect(code(["AKIDEXAMPLE": "other"]) == .signatureMismatch)
    #expect(code(["AKIDEXAMPLE": ""]) == .secretEmpty)
    message.body = Array("[]".utf8)
    #expect(code(secrets) == .signatureMismatch)
  }

  /// Fields that are not signed say where the body ends. Others would read another body than the one that was verified.
  @Test(
    arguments: [
      ([], nil), (["Content-Length: 2"], nil), (["Transfer-Encoding: chunked"], nil),
      (["Content-Length: 0"], .messageMalformed), (["Content-Length: 3"], .messageMalformed),
      (["Content-Length: 2, 2"], .messageMalformed), (["Content-Length: +2"], .messageMalformed),
      (["Content-Length: "], .messageMalformed),
      (["Content-Length: 99999999999999999999"], .messageMalformed),
      (["Content-Length: 2", "content-length: 2"], .headerRepeated),
      (["Content-Length: 2", "Transfer-Encoding: chunked"], .messageMalformed),
    ] as [([String], SigV4Error.Code?)])
  func theBodyIsAsLongAsTheHeadSays(_ fields: [String], expected: SigV4Error.Code?) throws {
    let signer = try Signer(service: "execute-api", region: "eu-west-1")
    let verifier = try RequestVerifier(
      policy: VerifierPolicy(service: "execute-api", region: "eu-west-1", hosts: .oneOf(["api.example.com"])))
    let signed = try signer.sign(
      "POST", "https://api.example.com/items", body: Array("{}".utf8), with: credentials())
    let head = HTTPMessage(head: signed.head).bytes.dropLast(2)
    let text = fields.map { $0 + "\r\n" }.joined() + "\r\n{}"
    let message = try HTTPMessage(parsing: head + Array(text.utf8))
    var code: SigV4Error.Code?
    do {
      _ = try verifier.verify(message) { _ in "secret" }
    } catch {
      code = error.code
    }
    #expect(code == expected)
    let known = try credentials()
    let byCredentials = Result { () throws(SigV4Error) in try verifier.verify(message) { _ in known } }
    #expect((try? byCredentials.get()) == nil ? expected != nil : expected == nil)
  }
}
