internal import Foundation
internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Requests of common clients: from the project's vectors, and recorded ones if they are next to the project.
@Suite struct ClientTests {
  static let file = try? VectorFile.load("sigv4-clients")

  /// Verifies a request like a service, with the body in pieces.
  private func accessKey(
    _ bytes: [UInt8], _ credentials: Credentials, at now: Timestamp, hosts: VerifierPolicy.HostRule? = nil,
    acceptedUnsigned: Set<VerifierPolicy.UnsignedHeader>
  ) throws -> String {
    let message = try HTTPMessage(parsing: bytes)
    let found = try UnverifiedRequest(message.head).parameters
    let rule = hosts ?? .unchecked(because: "the clients had several")
    var policy = VerifierPolicy(
      service: found.scope.service, region: found.scope.region ?? found.regionSet[0], hosts: rule)
    policy.algorithms = Set(SigningAlgorithm.allCases)
    policy.placements = Set(SignaturePlacement.allCases)
    policy.payloads = Set(PayloadBinding.allCases)
    policy.acceptedUnsignedHeaders = acceptedUnsigned
    let verifier = try RequestVerifier(policy: policy)
    let pending = try verifier.parse(message.head, at: now)
    let key = VerificationKey.credentials(credentials)
    if case .mode(.unsigned)? = try UnverifiedRequest(message.head).declaredPayload {
      return try verifier.verifyLeavingBodyUnchecked(pending, key: key, because: "it is not signed")
        .accessKeyID
    }
    if policy.form == .s3, found.placement == .query {
      return try verifier.verifyLeavingBodyUnchecked(pending, key: key, because: "it is not signed")
        .accessKeyID
    }
    var body = try verifier.verifyBody(pending, key: key, release: .immediately)
    for start in stride(from: 0, to: message.body.count, by: 97) {
      _ = try body.read(Array(message.body[start..<min(start + 97, message.body.count)]))
    }
    return try body.finish().request.accessKeyID
  }

  @Test(arguments: file?.cases ?? []) func clientForm(_ test: VectorFile.Case) throws {
    let file = try #require(Self.file)
    try VectorFile.Case.check(file.extras, knows: ["access_key", "secret", "region", "host", "now"])
    try VectorFile.Case.check(test.input, knows: ["message_base64", "accepted_unsigned"])
    let credentials = try VectorTests.credentials(file)
    let now = try Timestamp(amzDate: #require(file.extras["now"]?.string))
    let names = test.input["accepted_unsigned"]?.array?.compactMap { $0.string } ?? []
    let headers = names.compactMap { VerifierPolicy.UnsignedHeader(name: $0) }
    #expect(headers.count == names.count)
    let bytes = try Base64.decode(#require(test.input["message_base64"]?.string))
    do {
      let found = try accessKey(
        bytes, credentials, at: now, hosts: .oneOf([#require(file.extras["host"]?.string)]),
        acceptedUnsigned: Set(headers))
      #expect(test.reject == nil)
      #expect(found == test.expect?["access_key"]?.string)
    } catch let error as SigV4Error {
      #expect(error.codeText == test.reject, "\(error)")
    }
  }

  @Test func theFileIsWhole() { #expect(Self.file?.cases.count == 35) }

  static let recorded: [VectorFile.Case] = {
    guard let extra = VectorFile.extra else { return [] }
    return (try? VectorFile(path: "\(extra)/sigv4-real-clients.json").cases) ?? []
  }()

  /// Recorded requests of other clients. Each is accepted unchanged, and refused with a changed bit of its
  /// signature.
  @Test(
    .enabled(if: VectorFile.extra != nil, "VECTORS_EXTRA names no folder of further suites"),
    arguments: recorded)
  func recordedRequest(_ test: VectorFile.Case) async throws {
    try VectorFile.Case.check(test.input, knows: ["request_base64", "request_gzip_base64", "at"])
    let expect = try #require(test.expect)
    try VectorFile.Case.check(expect, knows: ["verdict", "policy"])
    #expect(expect["verdict"]?.string == "accept")
    var unsigned: Set<VerifierPolicy.UnsignedHeader> = []
    switch expect["policy"]?.string {
    case nil: break
    case "unsigned content-type allowed": unsigned = [.contentType]
    case let other?: Issue.record("the policy \(other) is not known to this runner")
    }
    let time = try #require(test.input["at"]?.string)
    let now = try Timestamp(amzDate: time.filter { $0 != "-" && $0 != ":" })
    let bytes =
      if let text = test.input["request_base64"]?.string {
        try Base64.decode(text)
      } else {
        try await Self.unzipped(Base64.decode(#require(test.input["request_gzip_base64"]?.string)))
      }
    let secret = SecretBytes("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".utf8.span)
    let token = try UnverifiedRequest(HTTPMessage(parsing: bytes).head).parameters.sessionToken
    let credentials = try Credentials(
      accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: secret, sessionToken: token)
    #expect(
      try accessKey(bytes, credentials, at: now, acceptedUnsigned: unsigned) == "AKIAIOSFODNN7EXAMPLE")
    if !unsigned.isEmpty {
      #expect(
        Material.code { _ = try accessKey(bytes, credentials, at: now, acceptedUnsigned: []) }
          == .headerUnsigned)
    }
    // The last digit of the signature.
    let mark = try #require(bytes.firstRange(of: Array("Signature=".utf8))).upperBound
    var end = mark
    while bytes[end].isHexadecimalDigit { end += 1 }
    var spoilt = bytes
    spoilt[end - 1] = spoilt[end - 1] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
    #expect(
      Material.code { _ = try accessKey(spoilt, credentials, at: now, acceptedUnsigned: unsigned) }
        == .signatureMismatch)
  }

  @Test(.enabled(if: VectorFile.extra != nil, "VECTORS_EXTRA names no folder of further suites"))
  func theRecordingsAreWhole() { #expect(Self.recorded.count == 67) }

  private static func unzipped(_ bytes: [UInt8]) async throws -> [UInt8] {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + ".gz")
    try Data(bytes).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    return [UInt8](try await Program.run(["gzip", "-dc", path.path()]).output)
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    (0x30...0x39).contains(self) || (0x61...0x66).contains(self)
  }
}
