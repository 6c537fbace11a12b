internal import Foundation
@testable internal import ServiceOperations
internal import Testing
internal import TokenSecurityVectorFiles

/// The declarations themselves, and the page that is made from them.
@Suite struct DeclarationTests {
  static let services = [identityPools, securityTokenService, userPools, dataSets, signingKeyService]
  private static let folders = [
    "CognitoIdentity", "SecurityToken", "CognitoUserPools", "CognitoSync", "SigningKeys",
  ]

  /// The page in `docs/` is that of the declarations.
  @Test func referencePage() throws {
    let path = "\(VectorFile.root)/docs/operations.md"
    let page = ReferencePage.markdown(Self.services)
    if ProcessInfo.processInfo.environment["TOKEN_SECURITY_WRITE_REFERENCE"] != nil {
      try page.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == page)
  }

  /// Each type that declares an operation is in its service's list.
  @Test(arguments: 0..<5)
  func everyOperationIsListed(index: Int) throws {
    let folder = "\(VectorFile.root)/Sources/Protocol/ServiceOperations/\(Self.folders[index])"
    let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
    var declared = 0
    for name in names where name.hasSuffix(".swift") {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      declared += text.components(separatedBy: ": ServiceOperation {").count - 1
    }
    let service = Self.services[index]
    #expect(service.operations.count == declared)
    #expect(Set(service.operations.map { $0.declaration.name }).count == declared)
  }

  /// A target is a member of the input.
  @Test func targetsAreMembers() {
    for operation in Self.services.flatMap(\.operations) {
      guard case .signed(let signature) = operation.declaration.access, let name = signature.target.member
      else { continue }
      #expect(OperationSchema(operation).input.contains { $0.name == name }, "\(operation)")
    }
  }

  /// A session instead of an access token is part of the declaration, and of the page.
  @Test func sessionsInPlaceOfAccessTokens() throws {
    enum AssociateSoftwareToken: ServiceOperation {
      static let declaration = OperationDeclaration(
        "AssociateSoftwareToken", .accessTokenOrSession(token: "AccessToken", session: "Session"),
        "Begins to set up one-time codes.")

      struct Input: Structure {
        var accessToken: SecretText?
        var session: SecretText?

        mutating func members(_ m: inout Members) {
          m.optional("AccessToken", &accessToken, .any.sensitive)
          m.optional("Session", &session, .session)
        }
      }
    }
    let page = ReferencePage.markdown([
      ServiceDeclaration(
        "Users", signingName: "users", .json(targetPrefix: "U"), [AssociateSoftwareToken.self])
    ])
    #expect(
      page.contains(
        "Called by: the owner of the access token in `AccessToken`, or of the session in `Session`, unsigned."
      ))
  }

  /// The labels of a path are members, each once, and members of path, query and header fields belong to a
  /// route.
  @Test func labelsAreMembers() {
    for service in Self.services + [sampleRecords, sampleDatasets] {
      for operation in service.operations {
        let schema = OperationSchema(operation)
        let template = PathTemplate(schema.declaration.route?.template ?? "/")
        let labels = template.parts.compactMap { if case .label(let name) = $0 { name } else { nil } }
        let members = schema.input.compactMap { if case .path(let name) = $0.location { name } else { nil } }
        #expect(labels.sorted() == members.sorted() && Set(labels).count == labels.count, "\(operation)")
        #expect(schema.input.allSatisfy { $0.location == .body || service.binding == .rest }, "\(operation)")
      }
    }
  }

  /// Every pattern is understood, and matches its example.
  @Test func patternsMatchTheirSamples() {
    for operation in Self.services.flatMap(\.operations) {
      let schema = OperationSchema(operation)
      for bounds in (schema.input + schema.output).flatMap({ Self.texts($0.kind) }) {
        guard let pattern = bounds.pattern else { continue }
        if let example = pattern.example {
          #expect(pattern.matches(example) && bounds.allows(example))
        } else {
          #expect(
            (0x21..<0x7F).contains { pattern.matches(String(Unicode.Scalar($0))) }, "\(pattern)")
        }
        #expect(!pattern.matches("\0") || [#"[\S]+"#, "(?s).*"].contains(pattern.description))
      }
    }
  }

  static func texts(_ kind: MemberKind) -> [TextBounds] {
    switch kind {
    case .text(let bounds), .secret(let bounds): [bounds]
    case .structure(let members): members.flatMap { texts($0.kind) }
    case .list(let elements, _): texts(elements)
    case .map(let keys, let values, _, _): [keys] + texts(values)
    default: []
    }
  }

  @Test func bracketExpressions() {
    for (pattern, matching, others) in [
      (#"[\w._-]+"#, ["a_Z0.-"], ["", "a b", "é", "a/", "\n"]),
      (#"[\w+=,.@-]*"#, ["", "a@b"], [" ", "a:b"]), (#"\d+"#, ["0123456789"], ["", "١", "a"]),
      (#"[\S]+"#, ["a", "東\u{A0}", "\0"], ["", "a b", "\t", "a\n", "\u{B}"]),
      (#"[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#, ["é東😀٣€.", "e\u{301}"], ["", "a b", "\u{200E}", "\u{A0}", "\0"]),
      (#"[\p{L}\t ]+"#, ["a\té "], ["1", "\n"]), (#"[a-f\x21\x5D]+"#, ["abf!]"], ["g", "A"]),
      (#"[\w\s+=,.@-]+"#, ["a b\n\t"], ["a;b", "\u{85}"]), ("[a-zA-Z0-9_.:-]+", ["a.B:9-_"], ["a b", "/"]),
    ] as [(TextPattern, [String], [String])] {
      for text in matching { #expect(pattern.matches(text), "\(pattern): \(text)") }
      for text in others { #expect(!pattern.matches(text), "\(pattern): \(text)") }
    }
    // A pattern that is not one bracket expression needs a function, and matches nothing without one.
    for pattern in [
      "a+", "[a-z]", "[^a]+", "[a-z]+x", "[a[b]]+", #"[\q]+"#, "(a|b)+", "[z-a]+", "", "+", "[]+x",
    ] {
      let text = TextPattern(stringLiteral: pattern)
      #expect(!text.matches("a") && !text.matches("") && !text.matches("z"), "\(pattern)")
    }
  }

  @Test func sequences() {
    let id = TextPattern("i", example: "a:0", sequence: [#"[\w-]+"#, ":", "[0-9a-f-]+"])
    for text in ["eu-west-1:0-9", "a:f", "_:-"] { #expect(id.matches(text)) }
    for text in ["", ":", "a:", ":a", "a:g", "a:b:c", "é:a", "a:f\n"] { #expect(!id.matches(text)) }
    let line = TextPattern("l", example: "x/", sequence: ["x/", #"[\S\t\x0B\x0C ]*"#])
    for text in ["x/", "x/a b\té\u{2028}"] { #expect(line.matches(text)) }
    for text in ["x", "/", "x/\n", "x/a\r", "yx/"] { #expect(!line.matches(text), "\(text)") }
    // An expression that is not understood matches nothing.
    #expect(!TextPattern("n", example: "a", sequence: ["[^a]+"]).matches("b"))
  }

  @Test func identifiers() {
    let id = OperationSchema(GetID.self).input[1]
    guard case .text(let bounds) = id.kind else {
      Issue.record("IdentityPoolId is not a text")
      return
    }
    for text in ["eu-west-1:0-9", "a:f", "_:-"] { #expect(bounds.allows(text)) }
    for text in ["", ":", "a:", ":a", "a:g", "a:A", "a:b:c", "é:a", String(repeating: "a", count: 54) + ":a"]
    {
      #expect(!bounds.allows(text), "\(text)")
    }
  }
}

/// The seeds for fuzzing: a request of each operation.
@Suite struct SeedTests {
  @Test func seeds() throws {
    let folder = "\(VectorFile.root)/Fuzz/Seeds/Operations"
    var samples = SampleRequests(SeededGenerator(seed: 38), longest: 3)
    // Operations of two services may have one name.
    let labels = OperationRouter(DeclarationTests.services).metricLabels.dropFirst()
    var number: UInt8 = 0
    for service in DeclarationTests.services {
      for operation in service.operations {
        let seed = [number] + samples.request(operation, of: service).body
        let path = "\(folder)/\(labels[Int(number) + 1])"
        if ProcessInfo.processInfo.environment["TOKEN_SECURITY_WRITE_REFERENCE"] != nil {
          try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
          try Data(seed).write(to: URL(filePath: path))
        }
        #expect(try Array(Data(contentsOf: URL(filePath: path))) == seed)
        number += 1
      }
    }
  }
}
