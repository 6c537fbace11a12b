internal import AsyncHTTPTransport
internal import Foundation
internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// The command with a cache folder and a real HTTPS server.
@Suite struct KeysCacheTests {
  private let key: JWK
  private let folder: String
  private var cache: String { folder + "/cache" }

  init() throws {
    var key = try JWK.generate(.es256)
    key.keyID = "one"
    self.key = key
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private var keys: String {
    JSONValue.object(["keys": [.object(key.publicJWK ?? [:])]]).description
  }

  private func good(_ fields: [String] = []) -> TestServer.Script {
    .answer(keys, fields: ["Cache-Control: max-age=86400"] + fields)
  }

  private func token(_ kid: String = "one", issuer: String = "x") throws -> String {
    var key = self.key
    key.keyID = kid
    return try TokenSigner(key: key).issue(TokenClaims(issuer: issuer, subject: "jane", audience: ["x"]))
  }

  /// Runs the command.
  private func run(_ arguments: [String], _ token: String) async throws -> (status: Int32, output: String) {
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let input = folder + "/token"
    try token.write(toFile: input, atomically: true, encoding: .utf8)
    let result = try await Program.run(
      [products.appending(path: "verify-token").path()] + arguments,
      input: FileHandle(forReadingFrom: URL(filePath: input)))
    return (result.status, result.text + result.errorText)
  }

  private func verify(
    _ server: TestServer, kid: String = "one", trusts: Bool = true
  ) async throws -> (status: Int32, output: String) {
    try await run(
      [
        "--issuer", "x", "--audience", "x", "--jwks", server.address("/jwks.json"), "--keys-cache", cache,
        "--timeout", "60s",
      ]
        + (trusts ? ["--ca-file", server.certificate] : []), token(kid))
  }

  /// The files of the cache.
  private var entries: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: cache).map { cache + "/" + $0 }.sorted()
    }
  }

  private func change(_ path: String, _ change: (inout JSONObject) -> Void) throws {
    var object = try #require(try JSONValue(parsing: String(contentsOfFile: path, encoding: .utf8)).object)
    change(&object)
    // Written in place, so the mode does not change.
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(JSONWriter.write(object)))
    try file.close()
  }

  /// Makes an entry older.
  private func age(_ path: String, by seconds: Int64) throws {
    try change(path) { entry in
      for name in ["stored_at", "fresh_until"] {
        entry[name] = .number(JSONNumber((entry[name]?.number?.int64 ?? 0) - seconds))
      }
    }
  }

  /// An unusable response to a search neither replaces the cached entry nor is served later.
  @Test(arguments: [
    TestServer.Script.answer(#"{"keys":[]}"#, fields: ["Cache-Control: max-age=86400"]),
    .answer("<html>sign in</html>", type: "text/html", fields: ["Cache-Control: max-age=86400"]),
    .answer(#"{"keys":[{"kty":"oct","kid":"one","k":"AAAA"}]}"#, fields: ["Cache-Control: max-age=86400"]),
    .answer("", status: "304 Not Modified"),
  ])
  func unusableResponsesAreNotCached(_ junk: TestServer.Script) async throws {
    let server = try await TestServer()
    server.answer(good())
    #expect(try await verify(server).status == 0)
    let entry = try #require(try entries.first)
    try age(entry, by: 11)
    let kept = try String(contentsOfFile: entry, encoding: .utf8)
    server.answer(junk)
    let unknown = try await verify(server, kid: "made up")
    #expect(unknown.status == 1)
    #expect(unknown.output.contains("key_not_found"))
    #expect(server.count == 2)
    #expect(try String(contentsOfFile: entry, encoding: .utf8) == kept)
    server.answer(good())
    #expect(try await verify(server).status == 0)
  }

  /// An entry that is not a key set is dropped, and the set is fetched.
  @Test(arguments: [#"{"keys":[]}"#, "<html>", ""])
  func unusableEntriesAreDropped(_ body: String) async throws {
    let server = try await TestServer()
    server.answer(good())
    #expect(try await verify(server).status == 0)
    try change(try #require(try entries.first)) { $0["body"] = .string(Base64.string(Array(body.utf8))) }
    #expect(try await verify(server).status == 0)
    #expect(server.count == 2)
    #expect(try await verify(server).status == 0)
    #expect(server.count == 2)
  }

  @Test func keysFetchedUnderOtherRootsAreNotUsed() async throws {
    let server = try await TestServer()
    server.answer(good())
    #expect(try await verify(server).status == 0)
    let untrusted = try await verify(server, trusts: false)
    #expect(untrusted.status == 2)
    #expect(untrusted.output.contains("[fetch_connection]"))
    // A renamed file is not used either.
    let entry = try #require(try entries.first)
    let other = cache + "/" + String(repeating: "0", count: 64) + ".json"
    try FileManager.default.moveItem(atPath: entry, toPath: other)
    #expect(try await verify(server, trusts: false).status == 2)
  }

  @Test func malformedTagsAreNotStored() async throws {
    let server = try await TestServer()
    server.answer(good(["ETag: \"" + String(repeating: "x", count: 70_000) + "\""]))
    for run in 1...2 {
      #expect(try await verify(server).status == 0)
      #expect(server.count == run)
      let entry = try #require(try entries.first)
      #expect(try JSONValue(parsing: String(contentsOfFile: entry, encoding: .utf8)).object?["etag"] == nil)
      try change(entry) { $0["etag"] = .string("\"" + String(repeating: "x", count: 70_000) + "\"") }
      try age(entry, by: 86_400)
    }
  }

  private func makePipe(_ path: String) throws {
    let made = unsafe mkfifo(path, 0o600)
    try #require(made == 0)
  }

  @Test func aPipeInTheFolderDoesNotBlock() async throws {
    let server = try await TestServer()
    server.answer(good())
    #expect(try await verify(server).status == 0)
    let entry = try #require(try entries.first)
    try FileManager.default.removeItem(atPath: entry)
    try makePipe(entry)
    #expect(try await verify(server).status == 0)
  }

  @Test func aPipeForTheRootsIsRefused() async throws {
    let pipe = folder + "/roots"
    try makePipe(pipe)
    let result = try await run(
      ["--issuer", "x", "--audience", "x", "--jwks", "https://localhost:1/", "--ca-file", pipe], token())
    #expect(result.status == 2)
    #expect(result.output == "verify-token: \(pipe) is not a regular file\n")
  }

  /// The keys have moved while the metadata with their old address is cached.
  @Test func movedKeysAreFoundDespiteCachedMetadata() async throws {
    let server = try await TestServer()
    let (issuer, keys) = (server.address(""), keys)
    @Sendable func script(_ path: String, _ place: String) -> TestServer.Script {
      switch path {
      case "/.well-known/openid-configuration":
        .answer(
          "{\"issuer\":\"\(issuer)\",\"jwks_uri\":\"\(issuer)\(place)\"}",
          fields: ["Cache-Control: max-age=86400"])
      case place: .answer(keys, fields: ["Cache-Control: max-age=60"])
      default: .answer("", status: "404 Not Found")
      }
    }
    let arguments = [
      "--issuer", issuer, "--audience", "x", "--discover", "--keys-cache", cache, "--timeout", "60s",
      "--ca-file",
      server.certificate,
    ]
    server.answer { script($0, "/old") }
    #expect(try await run(arguments, token(issuer: issuer)).status == 0)
    server.answer { script($0, "/new") }
    for entry in try entries { try age(entry, by: 61) }
    #expect(try await run(arguments, token(issuer: issuer)).status == 0)
    #expect(server.questions.suffix(3) == ["/old", "/.well-known/openid-configuration", "/new"])
  }
}
