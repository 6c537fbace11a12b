internal import Foundation
internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

/// AWS's test suite in all its forms, if it is next to the project.
@Suite(.enabled(if: VectorFile.extra != nil, "the published suite lies beside the project, or not at all"))
struct SuiteTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let files: [String: String]
    let isECDSA: Bool
    var testDescription: String { (isECDSA ? "v4a " : "v4 ") + name }

    func file(_ name: String) throws -> String { try #require(files[name], "\(name)") }
  }

  /// A few cases of SigV4A have a request and no expected values.
  static let stubs: Set<String> = ["get-vanilla-query-order-key", "get-vanilla-query-order-value"]

  static func cases(_ suite: String, isECDSA: Bool) -> [Case] {
    guard let extra = VectorFile.extra,
      let object = try? JSONValue(parsing: VectorFile.bytes("\(extra)/aws-signing-\(suite).json")).object,
      let cases = object["cases"]?.object
    else { return [] }
    return cases.members.compactMap { member in
      guard let files = member.value.object else { return nil }
      return Case(
        name: member.name,
        files: Dictionary(uniqueKeysWithValues: files.members.map { ($0.name, $0.value.string ?? "") }),
        isECDSA: isECDSA)
    }
  }

  static let all = cases("v4", isECDSA: false) + cases("v4a", isECDSA: true)

  /// The suite's parameters of a signature.
  struct Context {
    let credentials: Credentials
    let signer: Signer
    let date: Timestamp
    let expiration: Int64
    let signsBody: Bool

    init(_ test: Case) throws {
      let object = try #require(JSONValue(parsing: test.file("context.json")).object)
      try VectorFile.Case.check(
        object,
        knows: [
          "credentials", "expiration_in_seconds", "normalize", "region", "service", "sign_body", "timestamp",
          "omit_session_token",
        ])
      let keys = try #require(object["credentials"]?.object)
      let secret = try #require(keys["secret_access_key"]?.string)
      credentials = try Credentials(
        accessKeyID: #require(keys["access_key_id"]?.string), secretAccessKey: SecretBytes(secret.utf8.span),
        sessionToken: keys["token"]?.string)
      let service = try #require(object["service"]?.string)
      let region = try #require(object["region"]?.string)
      let form = CanonicalForm(
        pathEncoding: .twice, removesDotSegments: object["normalize"]?.bool == true)
      let placement: SessionTokenPlacement =
        object["omit_session_token"]?.bool == true ? .addedAfterSigning : .signed
      var signer =
        test.isECDSA
        ? try Signer(service: service, regionSet: [region], form: form, sessionToken: placement)
        : try Signer(service: service, region: region, form: form, sessionToken: placement)
      signsBody = object["sign_body"]?.bool == true
      signer.declaresPayloadHash = signsBody
      self.signer = signer
      let time = try #require(object["timestamp"]?.string)
      date = try Timestamp(amzDate: time.filter { $0 != "-" && $0 != ":" })
      expiration = try Int64(#require(object["expiration_in_seconds"]?.number?.description)) ?? 0
    }

    var policy: VerifierPolicy {
      var policy = VerifierPolicy(
        service: signer.service, region: signer.regions[0], hosts: .oneOf(["example.amazonaws.com"]),
        form: signer.form)
      policy.algorithms = [signer.algorithm]
      policy.placements = [.header, .query]
      policy.sessionToken = signer.sessionToken
      policy.acceptedAmbiguities = [.dotSegment, .rawByte]
      return policy
    }
  }

  static func publicKey(_ test: Case) throws -> ECDSAPublicKey {
    let key = try #require(JSONValue(parsing: test.file("public-key.json")).object)
    return try ECDSAPublicKey(
      x: Hex.decode(#require(key["X"]?.string)), y: Hex.decode(#require(key["Y"]?.string)))
  }

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func theSuiteIsWhole() {
    #expect(Self.all.count { !$0.isECDSA } == 38)
    #expect(Self.all.count { $0.isECDSA } == 40)
  }

  @Test(arguments: all) func header(_ test: Case) throws {
    let context = try Context(test)
    let message = try HTTPMessage(parsing: Array(test.file("request.txt").utf8))
    let signed = try context.signer.sign(
      message.head, body: message.body.isEmpty ? .none : .bytes(message.body), with: context.credentials,
      at: context.date)
    guard !(test.isECDSA && Self.stubs.contains(test.name)) else {
      #expect(test.files.count < 10, "a stub has become a case")
      return
    }
    #expect(try signed.canonicalRequest.description == test.file("header-canonical-request.txt"))
    #expect(try text(signed.stringToSign) == test.file("header-string-to-sign.txt"))
    let expected = try HTTPMessage(parsing: Array(test.file("header-signed-request.txt").utf8))
    if test.isECDSA {
      // ECDSA signatures are random: all other values must be equal.
      #expect(expected.head.headers.dropLast() == signed.head.headers.dropLast())
    } else {
      #expect(try signed.signature == test.file("header-signature.txt"))
      #expect(expected.head == signed.head)
    }
    try verify(test, context, expected)
    try verify(test, context, HTTPMessage(head: signed.head, body: message.body))
  }

  @Test(arguments: all) func query(_ test: Case) throws {
    guard !(test.isECDSA && Self.stubs.contains(test.name)) else { return }
    let context = try Context(test)
    let message = try HTTPMessage(parsing: Array(test.file("request.txt").utf8))
    let signed = try context.signer.presign(
      message.head, expiresIn: .seconds(context.expiration),
      body: message.body.isEmpty ? .none : .bytes(message.body),
      with: context.credentials, at: context.date)
    #expect(try signed.canonicalRequest.description == test.file("query-canonical-request.txt"))
    #expect(try text(signed.stringToSign) == test.file("query-string-to-sign.txt"))
    let expected = try HTTPMessage(parsing: Array(test.file("query-signed-request.txt").utf8))
    if !test.isECDSA {
      #expect(try signed.signature == test.file("query-signature.txt"))
      #expect(expected.head.target == signed.head.target)
    }
    #expect(expected.head.headers == signed.head.headers)
    try verify(test, context, expected)
    try verify(test, context, HTTPMessage(head: signed.head, body: message.body))
  }

  private func verify(_ test: Case, _ context: Context, _ message: HTTPMessage) throws {
    let verifier = try RequestVerifier(policy: context.policy)
    let pending = try verifier.parse(message.head, at: context.date)
    let key: VerificationKey =
      test.isECDSA ? .publicKey(try Self.publicKey(test)) : .credentials(context.credentials)
    let verified = try verifier.verify(pending, key: key, body: message.body)
    #expect(verified.accessKeyID == "AKIDEXAMPLE")
    #expect(verified.sessionToken == context.credentials.sessionToken)
    // A changed bit of the body makes it another request.
    #expect(
      throws: message.head["x-amz-content-sha256"] == nil
        ? SigV4Error.signatureMismatch : .payloadHashMismatch
    ) {
      try verifier.verify(pending, key: key, body: message.body + [0])
    }
  }

  @Test(arguments: cases("v4a", isECDSA: true)) func derivedKeys(_ test: Case) throws {
    guard !Self.stubs.contains(test.name) else { return }
    let context = try Context(test)
    let published = try Self.publicKey(test)
    let derived = try ECDSASigningKey(context.credentials).publicKey
    #expect(derived.x == published.x)
    #expect(derived.y == published.y)
  }
}
