internal import Foundation
internal import HTTPExchange
internal import SigV4
internal import Synchronization
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Sources of credentials.
@Suite struct CredentialsTests {
  /// A folder with the two shared files.
  struct Files {
    let folder: URL
    var config: String { folder.appending(path: "config").path() }
    var credentials: String { folder.appending(path: "credentials").path() }

    init(config: String, credentials: String) throws {
      folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try config.write(toFile: self.config, atomically: true, encoding: .utf8)
      try credentials.write(toFile: self.credentials, atomically: true, encoding: .utf8)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func profile(_ name: String, _ transport: Scripted? = nil, _ process: Scripted? = nil)
      -> ProfileCredentials
    {
      ProfileCredentials(
        profile: name, configPath: config, credentialsPath: credentials, transport: transport,
        process: process)
    }
  }

  /// A service and a program with given responses, which record their requests.
  final class Scripted: HTTPTransport, CredentialsProcess {
    let answer: @Sendable (String) throws(CredentialsError) -> (Int, String)
    let requests = Mutex<[String]>([])

    init(_ answer: @escaping @Sendable (String) throws(CredentialsError) -> (Int, String)) {
      self.answer = answer
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      var head = RequestHead(request.method, request.url.path)
      head.headers = request.headers.fields.map { HeaderField($0.name, $0.value) }
      let text = String(decoding: HTTPMessage(head: head, body: request.body).bytes, as: UTF8.self)
      requests.withLock { $0.append(text) }
      do {
        let (status, body) = try answer(text)
        return TransportResponse(status: status, body: Array(body.utf8))
      } catch {
        throw .connection("\(error)")
      }
    }

    func run(_ arguments: [String]) async throws(CredentialsError) -> SecretBytes {
      requests.withLock { $0.append(arguments.joined(separator: "|")) }
      return SecretBytes(try answer(arguments.joined(separator: " ")).1.utf8.span)
    }
  }

  static func answer(_ action: String, id: String = "ASIAROLE") -> String {
    """
    <?xml version="1.0"?><!-- x --><\(action)Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><\(action)Result>
    <Credentials><AccessKeyId>\(id)</AccessKeyId><SecretAccessKey>role/secret+</SecretAccessKey>
    <SessionToken>role&#x2F;token&amp;==</SessionToken><Expiration>2015-08-30T13:36:00Z</Expiration></Credentials>
    <Empty/></\(action)Result></\(action)Response>
    """
  }

  private func failure(_ source: any CredentialsSource) async -> CredentialsError? {
    do throws(CredentialsError) {
      _ = try await source.credentials(at: CredentialMaterial.now)
      return nil
    } catch {
      return error
    }
  }

  /// Checks the secret by a signature.
  private func signature(_ credentials: Credentials) throws -> String {
    try CredentialMaterial.signer().sign(
      CredentialMaterial.head(), with: credentials, at: CredentialMaterial.now
    ).signature
  }

  @Test func profilesWithKeys() async throws {
    let files = try Files(
      config: """
        # a comment
        [default]
        aws_access_key_id = AKIDCONFIG
        aws_secret_access_key = config
        [profile "spaced"]
        region = eu-west-1 ; with a comment
        s3 =
          addressing_style = path
        aws_access_key_id=AKIDSPACED
        aws_secret_access_key = with#hash+and/slash=   # a comment
        aws_session_token = token
        [sso-session x]
        aws_access_key_id = AKIDWRONG
        """,
      credentials: "; c\r\n[default]\r\naws_access_key_id = AKIDFILE\r\naws_secret_access_key = file\r\n")
    defer { files.remove() }
    let usual = try await files.profile("default").credentials(at: CredentialMaterial.now)
    #expect(usual.accessKeyID == "AKIDFILE")
    #expect(try signature(usual) == signature(CredentialMaterial.credentials("AKIDFILE", secret: "file")))
    let spaced = try await files.profile("spaced").credentials(at: CredentialMaterial.now)
    #expect(spaced.sessionToken == "token")
    let expected = try CredentialMaterial.credentials(
      "AKIDSPACED", secret: "with#hash+and/slash=", token: "token")
    #expect(try signature(spaced) == signature(expected))
    #expect(await failure(files.profile("x")) == .profileMissing("x"))
    #expect(await failure(files.profile("nobody")) == .profileMissing("nobody"))
  }

  @Test(arguments: [
    ("[a\nb=c", 1), ("b=c", 1), ("[default]\nnothing", 2), ("[default]\n= x", 2), ("\n\n[default", 3),
  ])
  func brokenFiles(text: String, line: Int) async throws {
    let files = try Files(config: text, credentials: "")
    defer { files.remove() }
    guard case .fileMalformed(let path, let found, _)? = await failure(files.profile("default")) else {
      Issue.record("no failure")
      return
    }
    #expect(path == files.config)
    #expect(found == line)
  }

  @Test func missingFilesThatAreNamed() async {
    let source = ProfileCredentials(configPath: "/nowhere/config", credentialsPath: "/nowhere/credentials")
    #expect(
      await failure(source) == .fileUnreadable(path: "/nowhere/config", reason: "the file does not exist"))
  }

  @Test func profilesWithoutWhatTheyNeed() async throws {
    let files = try Files(
      config: """
        [profile half]
        aws_access_key_id = AKID
        [profile empty]
        [profile sso]
        sso_session = x
        [profile role]
        role_arn = arn:aws:iam::1:role/r
        [profile metadata]
        role_arn = arn:aws:iam::1:role/r
        credential_source = Ec2InstanceMetadata
        [profile one]
        role_arn = arn:aws:iam::1:role/1
        source_profile = two
        [profile two]
        role_arn = arn:aws:iam::1:role/2
        source_profile = one
        [profile process]
        credential_process = x
        """, credentials: "")
    defer { files.remove() }
    let service = Scripted { _ throws(CredentialsError) in (200, "") }
    #expect(
      await failure(files.profile("half"))
        == .profileIncomplete(profile: "half", setting: "aws_secret_access_key"))
    #expect(
      await failure(files.profile("empty"))
        == .profileIncomplete(profile: "empty", setting: "aws_access_key_id"))
    #expect(
      await failure(files.profile("sso")) == .profileUnsupported(profile: "sso", setting: "sso_session"))
    #expect(await failure(files.profile("role")) == .profileUnsupported(profile: "role", setting: "role_arn"))
    #expect(
      await failure(files.profile("role", service))
        == .profileIncomplete(profile: "role", setting: "source_profile"))
    #expect(
      await failure(files.profile("metadata", service))
        == .profileUnsupported(profile: "metadata", setting: "credential_source"))
    #expect(await failure(files.profile("one", service)) == .profileCycle("one"))
    #expect(
      await failure(files.profile("process"))
        == .profileUnsupported(profile: "process", setting: "credential_process"))
    #expect(service.requests.withLock { $0.isEmpty })
  }

  @Test func rolesByWayOfAnotherProfile() async throws {
    let files = try Files(
      config: """
        [profile base]
        aws_access_key_id = AKIDBASE
        aws_secret_access_key = base
        [profile middle]
        role_arn = arn:aws:iam::1:role/middle
        source_profile = base
        [profile top]
        role_arn = arn:aws:iam::2:role/top
        source_profile = middle
        external_id = x y
        duration_seconds = 900
        region = eu-west-1
        [profile self]
        aws_access_key_id = AKIDSELF
        aws_secret_access_key = self
        role_arn = arn:aws:iam::1:role/self
        source_profile = self
        [profile long]
        role_arn = arn:aws:iam::1:role/long
        source_profile = base
        duration_seconds = 43201
        """, credentials: "")
    defer { files.remove() }
    let service = Scripted { text throws(CredentialsError) in
      (200, Self.answer("AssumeRole", id: text.contains("middle") ? "ASIAMIDDLE" : "ASIATOP"))
    }
    let top = try await files.profile("top", service).credentials(at: CredentialMaterial.now)
    #expect(top.accessKeyID == "ASIATOP")
    #expect(top.sessionToken == "role/token&==")
    #expect(try top.expiration == Timestamp(amzDate: "20150830T133600Z"))
    let requests = service.requests.withLock { $0 }
    #expect(requests.count == 2)
    #expect(requests[0].contains("Credential=AKIDBASE/20150830/us-east-1/sts/"))
    #expect(requests[1].contains("Credential=ASIAMIDDLE/20150830/eu-west-1/sts/"))
    #expect(requests[1].contains("X-Amz-Security-Token: role/token&=="))
    #expect(requests[1].contains("ExternalId=x%20y") && requests[1].contains("DurationSeconds=900"))
    // The request verifies.
    let message = try HTTPMessage(parsing: Array(requests[0].utf8))
    let verifier = try RequestVerifier(
      policy: VerifierPolicy(
        service: "sts", region: "us-east-1", hosts: .oneOf(["sts.us-east-1.amazonaws.com"])))
    _ = try verifier.verify(
      verifier.parse(message.head, at: CredentialMaterial.now),
      key: .credentials(CredentialMaterial.credentials("AKIDBASE", secret: "base")),
      body: message.body)
    #expect(
      try await files.profile("self", service).credentials(at: CredentialMaterial.now).accessKeyID
        == "ASIATOP")
    guard case .unusable(.lifetime)? = await failure(files.profile("long", service)) else {
      Issue.record("a role of more than twelve hours")
      return
    }
  }

  @Test func webIdentities() async throws {
    let files = try Files(config: "", credentials: "")
    defer { files.remove() }
    let path = files.folder.appending(path: "token").path()
    let request = try RoleRequest(roleARN: "arn:aws:iam::1:role/r", region: "eu-west-1")
    let service = Scripted { _ throws(CredentialsError) in (200, Self.answer("AssumeRoleWithWebIdentity")) }
    let source = WebIdentityCredentials(tokenPath: path, request: request, transport: service)
    #expect(await failure(source) == .fileUnreadable(path: path, reason: "the file does not exist"))
    for text in ["", "not a token", "a.b", "a.b.c&Action=x"] {
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(await failure(source) == .tokenUnusable(path: path))
    }
    #expect(service.requests.withLock { $0.isEmpty })
    try "aa.bb.cc\n".write(toFile: path, atomically: true, encoding: .utf8)
    let credentials = try await source.credentials(at: CredentialMaterial.now)
    #expect(
      try signature(credentials)
        == signature(
          CredentialMaterial.credentials("ASIAROLE", secret: "role/secret+", token: "role/token&==")))
    let requests = service.requests.withLock { $0[0] }
    #expect(requests.hasPrefix("POST / HTTP/1.1\r\nHost: sts.eu-west-1.amazonaws.com\r\n"))
    #expect(requests.hasSuffix("WebIdentityToken=aa.bb.cc"))
    #expect(!requests.contains("Authorization"))
  }

  @Test(arguments: [
    (
      403, "<ErrorResponse><Error><Code>InvalidIdentityToken</Code></Error></ErrorResponse>",
      "credentials_service_refused"
    ),
    (500, "oops", "credentials_service_refused"), (200, "", "credentials_service_answer"),
    (200, "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "credentials_service_answer"),
    (200, "<a><Credentials><AccessKeyId>A</AccessKeyId></Credentials></a>", "credentials_service_answer"),
    (200, answer("X").replacing("2015-08-30T13:36:00Z", with: "soon"), "credentials_service_answer"),
    (200, answer("X").replacing("ASIAROLE", with: "A/B"), "credentials_unusable"),
    (200, answer("X").replacing("</Credentials>", with: ""), "credentials_service_answer"),
    (200, String(repeating: "<a>", count: 100), "credentials_service_answer"),
  ])
  func servicesThatLie(status: Int, body: String, code: String) async throws {
    let source = AssumedRoleCredentials(
      source: StaticCredentials(try CredentialMaterial.credentials()), request: try RoleRequest(roleARN: "r"),
      transport: Scripted { _ throws(CredentialsError) in (status, body) })
    #expect(await failure(source)?.codeText == code)
  }

  @Test(
    arguments: [
      (#"{"Version":1,"AccessKeyId":"AKID","SecretAccessKey":"s"}"#, nil),
      (
        #"{"Version":1,"AccessKeyId":"AKID","SecretAccessKey":"s","SessionToken":"t","Expiration":"2015-08-30T13:36:00Z"}"#,
        nil
      ),
      (#"{"Version":2,"AccessKeyId":"AKID","SecretAccessKey":"s"}"#, .processOutput),
      (#"{"AccessKeyId":"AKID","SecretAccessKey":"s"}"#, .processOutput), ("", .processOutput),
      ("AKID s", .processOutput),
      (#"{"Version":1,"AccessKeyId":"AKID"}"#, .processOutput),
      (#"{"Version":1,"AccessKeyId":"AKID","SecretAccessKey":7}"#, .processOutput),
      (#"{"Version":1,"AccessKeyId":"AKID","SecretAccessKey":"s","Expiration":"soon"}"#, .processOutput),
      (#"{"Version":1,"AccessKeyId":"AKID","SecretAccessKey":""}"#, .unusable),
    ] as [(String, CredentialsError.Code?)])
  func processes(output: String, code: CredentialsError.Code?) async throws {
    let process = Scripted { _ throws(CredentialsError) in (0, output) }
    let source = try ProcessCredentials(command: #"/opt/get "a b" c\ d 'e"f' "" "#, process: process)
    #expect(await failure(source)?.code == code)
    #expect(process.requests.withLock { $0 } == [#"/opt/get|a b|c d|e"f|"#])
  }

  @Test(arguments: ["", "  ", "'a", "\"a", "a\\"]) func commandsThatAreNone(command: String) {
    #expect(throws: CredentialsError.self) {
      try ProcessCredentials(command: command, process: Scripted { _ throws(CredentialsError) in (0, "") })
    }
  }

  /// The work grows with the command's length, not faster.
  @Test func aLongCommand() throws {
    let words = String(repeating: "word\\ ", count: 100_000)
    _ = try ProcessCredentials(
      command: words + "x", process: Scripted { _ throws(CredentialsError) in throw .processFailed("") })
  }

  @Test func theChainPassesOverWhatHasNone() async throws {
    let none = Scripted { _ throws(CredentialsError) in throw .notFound(tried: ["x"]) }
    let broken = Scripted { _ throws(CredentialsError) in throw .processFailed("y") }
    let some = StaticCredentials(try CredentialMaterial.credentials())
    let first = try ProcessCredentials(command: "a", process: none)
    #expect(await failure(CredentialsChain([first, some])) == nil)
    #expect(await failure(CredentialsChain([first, first])) == .notFound(tried: ["x", "x"]))
    #expect(
      await failure(CredentialsChain([try ProcessCredentials(command: "a", process: broken), some]))
        == .processFailed("y"))
  }

  /// Without an instant, sources of all types return the credentials of the present.
  @Test func thePresentIsTheDefault() async throws {
    let fixed = StaticCredentials(try CredentialMaterial.credentials())
    let id = try await fixed.credentials().accessKeyID
    #expect(try await CredentialsChain([fixed]).credentials().accessKeyID == id)
    #expect(try await RefreshingCredentials(fixed).credentials().accessKeyID == id)
    let any: any CredentialsSource = fixed
    #expect(try await any.credentials().accessKeyID == id)
    let start = Timestamp.now
    let present = Mutex<Timestamp?>(nil)
    _ = try? await Recorder { now in present.withLock { $0 = now } }.credentials()
    let recorded = try #require(present.withLock { $0 })
    // Within an hour: the system's clock can be set meanwhile.
    #expect((start - .seconds(3_600)...start + .seconds(3_600)).contains(recorded))
  }

  /// Passes on the instant at which credentials are requested.
  private struct Recorder: CredentialsSource {
    let record: @Sendable (Timestamp) -> Void

    init(_ record: @escaping @Sendable (Timestamp) -> Void) { self.record = record }

    func credentials(at now: Timestamp) async throws(CredentialsError) -> Credentials {
      record(now)
      throw .notFound(tried: [])
    }
  }
}
