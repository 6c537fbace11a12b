internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// A place is one in a JSON text, as `JSONDocument.Place` is. Other names say what a thing is: an index, an offset, a slot,
/// a key, a location.
@Suite struct PlaceNameTests {
  /// Files that deal with JSON, by the beginning of their paths below `Sources`.
  private struct Allowed {
    let path: String
    let reason: String
  }

  private static let allowed: [Allowed] = [
    Allowed(path: "Base/TokenSecurityBase/JSON", reason: "declares the places of a JSON text"),
    Allowed(path: "Base/TokenSecurityBase/TextTable.swift", reason: "compares texts of a JSON text"),
    Allowed(
      path: "Protocol/ServiceOperations/Members/", reason: "members of an input, in JSON for most services"),
    Allowed(path: "Clients/CognitoUserPoolClient/Sessions/FileSessionStore.swift", reason: "a file in JSON"),
    Allowed(path: "Standards/AccessPolicies/", reason: "policies are JSON"),
    Allowed(path: "Standards/JOSE/JWK/JWK", reason: "keys are JSON"),
    Allowed(path: "Standards/JOSE/JWS/", reason: "headers of tokens are JSON"),
    Allowed(path: "Standards/JOSE/JWT/", reason: "claims are JSON"),
    Allowed(path: "Standards/JOSE/NumericDate.swift", reason: "a number of JSON"),
    Allowed(path: "Standards/JOSE/Verifying/ClaimVerification.swift", reason: "verifies claims"),
    Allowed(path: "Standards/JOSE/Verifying/PolicyVerifier.swift", reason: "the accepted texts of claims"),
    Allowed(path: "Standards/OpenIDConnect/PolicyDocuments/Reading/", reason: "policies in JSON"),
    Allowed(
      path: "Standards/SigV4/CredentialSources/ProcessCredentials.swift", reason: "a process prints JSON"),
    Allowed(path: "Store/Records/Tables/", reason: "rows are JSON"),
  ]

  @Test func placesAreThoseOfJSON() throws {
    let folder = "\(VectorFile.root)/Sources"
    let paths = try #require(FileManager.default.enumerator(atPath: folder))
    var used: Set<Int> = []
    var count = 0
    for case let path as String in paths where path.hasSuffix(".swift") {
      count += 1
      let names = Self.names(try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8))
      guard !names.isEmpty else { continue }
      if let index = Self.allowed.firstIndex(where: { path.hasPrefix($0.path) }) {
        used.insert(index)
      } else {
        Issue.record("Sources/\(path) is not of JSON and has \(names.sorted().joined(separator: ", "))")
      }
    }
    #expect(count > 700)
    for (index, allowed) in Self.allowed.enumerated() where !used.contains(index) {
      Issue.record("\(allowed.path) has no place any more")
    }
  }

  @Test(arguments: [
    ("struct EndPlace {", ["EndPlace"]), ("let places: [Int]", ["places"]), ("case placed", ["placed"]),
    ("func take(_ key: Key, at place: Int)", ["place"]), ("for (place, entry) in heap {", ["place"]),
    ("let lower_place = isSamePlace", ["isSamePlace", "lower_place"]),
    ("typealias Places2 = [Int]", ["Places2"]),
  ])
  func theWordIsFound(_ source: String, _ names: [String]) {
    #expect(Self.names(source).sorted() == names)
  }

  @Test(arguments: [
    "/// A place.", "/* place */", #"let text = "place""#, "let text = \"\"\"\n  place\n  \"\"\"",
    "text.replace(placeholder)", "case placement, replaced, Placeholder", "isMisplaced", "workplaces",
  ])
  func othersAreNot(_ source: String) {
    #expect(Self.names(source).isEmpty)
  }

  /// The names in a source, outside of comments and texts, that have the word.
  private static func names(_ source: String) -> Set<String> {
    guard Data(source.utf8).range(of: Data("lace".utf8)) != nil, !words(source).isEmpty else { return [] }
    return words(SourceMask(source, .swift).code)
  }

  private static func words(_ text: String) -> Set<String> {
    Set(text.matches(of: /[A-Za-z0-9_]*[Pp]lace[A-Za-z0-9_]*/).map { String($0.output) }.filter(hasWord))
  }

  /// Returns true where one of a name's words in camel case is the word.
  private static func hasWord(_ name: String) -> Bool {
    var words: [String] = [""]
    for character in name {
      if !character.isLowercase { words.append("") }
      if character.isLetter { words[words.count - 1] += character.lowercased() }
    }
    return words.contains { ["place", "places", "placed"].contains($0) }
  }
}
