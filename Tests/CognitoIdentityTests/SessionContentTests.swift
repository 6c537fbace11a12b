internal import AccessPolicies
@testable internal import CognitoIdentityClient
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

/// The kept content of answers: the same values again, in few bytes.
@Suite struct SessionContentTests {
  /// As the service answers for an identity.
  private static func output(_ number: Int, pool: String = "us-east-1:3c7f2b58-91d4-4e06-8a2c-6d05e9b4f713")
    -> GetScopedSigningKey.Output
  {
    var output = GetScopedSigningKey.Output()
    let identity = "us-east-1:0d1c6e2a-5b7f-4c39-9a84-\(100_000_000_000 + number)"
    let methods = ["authenticated", "login.example", "login.example:\(pool):user-\(number)"]
    output.session.arn = "arn:aws:sts::123456789012:assumed-role/app-user/CognitoIdentityCredentials"
    output.session.roleARN = "arn:aws:iam::123456789012:role/app-user"
    output.session.sessionName = "CognitoIdentityCredentials"
    output.session.identityID = identity
    output.session.poolID = pool
    output.session.methods = methods
    output.conditionKeys = [
      "cognito-identity.amazonaws.com:sub": [identity], "cognito-identity.amazonaws.com:aud": [pool],
      "cognito-identity.amazonaws.com:amr": methods,
      "aws:federatedprovider": ["cognito-identity.amazonaws.com"],
      "aws:principalarn": ["arn:aws:iam::123456789012:role/app-user"],
      "aws:principaltype": ["AssumedRole"], "aws:principalaccount": ["123456789012"],
      "aws:userid": ["\(identity):CognitoIdentityCredentials"],
      "aws:tokenissuetime": ["2026-11-30T12:00:\(10 + number % 50)Z"],
    ]
    output.policies = [
      SessionPolicyDocument {
        $0.name = "p"; $0.document = Self.document("orders:*")
      }
    ]
    return output
  }

  private static func document(_ action: String) -> String {
    #"{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "\#(action)", "Resource": "*"}}"#
  }

  private static func expectEqual(_ content: SessionContent, _ output: GetScopedSigningKey.Output) throws {
    let (session, context) = try #require(content.values())
    var expected = VerifiedSession()
    expected.arn = output.session.arn
    expected.roleARN = output.session.roleARN
    expected.sessionName = output.session.sessionName
    expected.identityID = output.session.identityID
    expected.poolID = output.session.poolID
    expected.sourceIdentity = output.session.sourceIdentity
    expected.methods = output.session.methods ?? []
    expected.tags = output.session.tags ?? [:]
    #expect(session.json == expected.json)
    #expect(context.names.map { ExactString($0) } == output.conditionKeys.keys.sorted())
    for (name, values) in output.conditionKeys {
      #expect((context[name.text] ?? []).map { ExactString($0) } == values.map { ExactString($0) })
    }
  }

  /// Size of 10,000 sessions of a role: 280 bytes each, and three references in place of policies and common texts.
  @Test func sizes() throws {
    let parts = SharedParts()
    let contents = (0..<100).map { SessionContent(Self.output($0), sharing: parts) }
    for (number, content) in contents.enumerated() {
      try Self.expectEqual(content, Self.output(number))
      #expect(content.size <= 280)
    }
    let policies = (0..<100).map { SessionPolicies.shared(Self.output($0), parts) }
    #expect(policies.allSatisfy { $0 === policies[0] })
    #expect(parts.contents.count == 1 && parts.policies.count == 1 && parts.sets.count == 1)
    // The table of ten thousand answers has no more of them than a reference.
    #expect(MemoryLayout<SessionAnswer>.size == MemoryLayout<Int>.size)
    #expect(MemoryLayout<ExpiringTable<SessionAnswer>.Entry>.stride <= 56)
  }

  @Test func otherValuesComeBackToo() throws {
    let parts = SharedParts()
    var outputs = [Self.output(1), Self.output(2, pool: "us-east-1:other"), GetScopedSigningKey.Output()]
    var tagged = Self.output(3)
    tagged.session.sourceIdentity = ""
    tagged.session.methods = nil
    // Texts that Unicode calls equal are two.
    tagged.session.tags = ["caf\u{E9}": "cafe\u{301}", "cafe\u{301}": "caf\u{E9}", "": "", "a\nb": "\u{0}"]
    tagged.conditionKeys["aws:principaltag/long"] = [
      String(repeating: "x", count: 20_000), String(repeating: "x", count: 130), "", "",
    ]
    tagged.conditionKeys["empty"] = []
    outputs += [tagged, tagged, Self.output(4)]
    let contents = outputs.map { SessionContent($0, sharing: parts) }
    for (content, output) in zip(contents, outputs) { try Self.expectEqual(content, output) }
    #expect(parts.contents.count == 4)
  }

  /// Other policies, another order, and others of the session are other sets; a document is read once.
  @Test func policiesAreSharedByTheirTexts() {
    let parts = SharedParts()
    func policies(_ own: [(String, String)], _ limits: [(String, String)] = []) -> SessionPolicies {
      var output = GetScopedSigningKey.Output()
      func members(_ texts: [(String, String)]) -> [SessionPolicyDocument] {
        texts.map { (name, document) in
          SessionPolicyDocument {
            $0.name = name; $0.document = document
          }
        }
      }
      output.policies = members(own)
      output.sessionPolicies = members(limits)
      return .shared(output, parts)
    }
    let (a, b) = (("a", Self.document("a:*")), ("b", Self.document("b:*")))
    let sets = [
      policies([a]), policies([a, b]), policies([b, a]), policies([a], [b]), policies([], [a, b]),
      policies([("a1 a", a.1)]), policies([("a", "{}")]),
    ]
    #expect(Set(sets.map { ObjectIdentifier($0) }).count == sets.count)
    #expect(policies([a], [b]) === sets[3])
    #expect(parts.policies.count == 4)
    #expect(sets.map(\.unreadable) == [nil, nil, nil, nil, nil, nil, "a"])
    #expect(sets[3].set.identity.map(\.name) == ["a"] && sets[3].set.session.map(\.name) == ["b"])
  }

  /// Values that nothing has any more are removed as new ones come.
  @Test func valuesEnd() throws {
    let values = SharedValues<FirstContent>()
    let kept = values.value(of: ["kept"]) { FirstContent(bytes: [1]) }
    for number in 0..<1_000 { _ = values.value(of: ["\(number)"]) { FirstContent(bytes: []) } }
    #expect(values.count <= 65)
    #expect(values.value(of: ["kept"]) { FirstContent(bytes: []) } === kept)
    // Sizes are a part of the name.
    let (one, two) = (
      values.value(of: ["a", "b"]) { FirstContent(bytes: []) },
      values.value(of: ["a1 b"]) { FirstContent(bytes: []) }
    )
    #expect(one !== two)
  }

  /// Bytes that were cut off or changed end with nil, never with a trap.
  @Test func damagedBytes() throws {
    var texts = PackedTexts()
    for text in ["a", nil, String(repeating: "b", count: 200), "a"] { texts.append(text) }
    texts.append(["c", "a"])
    texts.append(300)
    func read(_ bytes: [UInt8]) -> Int? {
      var reader = PackedTextReader(bytes)
      for _ in 0..<4 { guard reader.optionalText() != nil else { return nil } }
      guard reader.list() != nil, let number = reader.number(), reader.isAtEnd else { return nil }
      return number
    }
    #expect(read(texts.bytes) == 300)
    for count in texts.bytes.indices { #expect(read(Array(texts.bytes.prefix(count))) == nil) }
    var random = SeededGenerator(seed: 61)
    for _ in 0..<20_000 {
      var bytes = texts.bytes
      for _ in 0..<3 {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = read(bytes)
      _ = PackedTexts(after: bytes)
    }
    // An offset of itself or of a number, a part of no kind, and a number that does not end.
    for bytes in [[0b10], [0, 0b10], [0b11], [UInt8](repeating: 0xFF, count: 12)] as [[UInt8]] {
      var reader = PackedTextReader(bytes, from: bytes.count == 2 ? 1 : 0)
      #expect(reader.optionalText() == nil)
    }
  }
}
