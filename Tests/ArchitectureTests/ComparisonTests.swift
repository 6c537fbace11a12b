internal import Foundation
internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Text from outside is compared by its bytes. This reads which functions of the standard library the built
/// objects call: those that compare text by canonical equivalence, or change its case by Unicode's tables,
/// do not belong here.
@Suite struct ComparisonTests {
  /// The functions, by their mangled names, and what to use instead.
  static let refused: [(symbol: String, name: String)] = [
    ("$sSS2eeoiySbSS_SStFZ", "String.== (import TokenSecurityBase, which compares bytes)"),
    ("$sSS1loiySbSS_SStFZ", "String.< (import TokenSecurityBase, which compares bytes)"),
    ("$sSSSQsWP", "String as Equatable in generic code (use ExactString)"),
    ("$sSSSHsWP", "String as Hashable in generic code (use ExactString as the key)"),
    ("$sSSSLsWP", "String as Comparable in generic code (use ExactString)"),
    ("$sSS9hasPrefixySbSSF", "String.hasPrefix (import TokenSecurityBase)"),
    ("$sSS9hasSuffixySbSSF", "String.hasSuffix (import TokenSecurityBase)"),
    ("$ss21_findStringSwitchCase", "an enumeration of String (let its raw type be ExactString)"),
    ("$sSysE2eeoi", "StringProtocol.== (compare the UTF-8 views)"),
    ("$sSysE9has", "StringProtocol.hasPrefix or hasSuffix (compare the UTF-8 views)"),
    ("$sSsSQsWP", "Substring as Equatable in generic code"),
    ("$sSsSHsWP", "Substring as Hashable in generic code"),
    ("$sSJ2eeoiySbSJ_SJtFZ", "Character.== (compare bytes)"),
    ("$sSJSQsWP", "Character in generic code, for instance split(separator:) (use the UTF-8 view)"),
    ("$sSJSLsWP", "Character as Comparable (use the UTF-8 view)"),
    ("$sSS10lowercasedSSyF", "String.lowercased() (use lowercasedASCII)"),
    ("$sSS10uppercasedSSyF", "String.uppercased() (fold ASCII)"),
    ("$sSy17_StringProcessingE8containsySbSSF", "StringProtocol.contains (search the UTF-8 view)"),
  ]

  /// Where one of them may be used, and why.
  static let accepted: [(files: [String], symbol: String, reason: String)] = [
    (
      [
        "JOSE/ClaimVerification", "JOSE/HeaderVerifier", "JOSE/PolicyVerifier", "JOSE/RuleDescription",
        "OpenIDConnect/CognitoIdentityPool", "OpenIDConnect/LoadBalancer", "OpenIDConnect/SenderCheck",
        "TokenSecurityC/ProofFunctions",
        "verify-token/ProfileOptions", "verify-token/SigV4VerifyCommand",
        "CognitoIdentity/IdentityTokens",
      ], "$sSSSHsWP", "Expectation is generic over Hashable values; what a token has is matched by bytes"
    ),
    (
      [
        "CognitoIdentityClient/BackendIdentity", "CognitoIdentityClient/Fetching",
        "CognitoIdentityClient/IdentityCalls", "CognitoIdentityClient/IdentityProvider",
        "CognitoIdentityClient/MutableLogins", "CognitoUserPoolClient/SessionLogins",
      ], "$sSSSHsWP",
      "applications hand logins over as dictionaries of String; the module compares them by bytes"
    ),
    (["JOSE/TokenClaims"], "$sSSSQsWP", "a list is compared with nil alone"),
    (["identity-service/SignedCallers"], "$sSSSHsWP", "hosts that the operator configured"),
    (["TokenSecurityCrypto/CryptoError"], "$sSS2eeoiySbSS_SStFZ", "errors with the project's own words"),
    (
      ["AsyncHTTPTransport/HTTPClientTransport"], "$sSy17_StringProcessingE8containsySbSSF",
      "the TLS library's own words"
    ),
    (
      ["verify-token/DurationArgument", "verify-token/LifetimeCommand"], "$sSJ2eeoiySbSJ_SJtFZ",
      "an option's unit and digits; anything else is refused"
    ),
    (["verify-token/LifetimeCommand"], "$sSJSQsWP", "an option's digits; anything else is refused"),
    (["verify-token/HelperProgram"], "$sSJSQsWP", "the program's own path"),
    (
      [
        "identity-service/DataCopy", "ServiceHosting/PrometheusText", "SigV4/Variations",
      ], "$sSJSQsWP",
      "text that is shown, or tried in an explanation"
    ),
    (
      ["OpenIDConnect/KeySetMetrics", "ServiceHosting/JSONLineLog"], "$sSSSHsWP",
      "the metadata of swift-log"
    ),
    (["CognitoIdentityClient/IDTokenCredentials"], "$sSSSHsWP", "a dictionary of one name"),
    (["identity-service/ServedService"], "$sSSSHsWP", "codes of errors, which the services write"),
    (["identity-service/SettingSources"], "$sSSSHsWP", "the environment, a dictionary of Foundation's"),
  ]

  /// The standard library hashes a case of an enumeration of String by its raw value, and makes an
  /// initialiser that nothing calls. Error codes and the words of messages are such enumerations: their raw
  /// values are the project's own, and no text from outside selects a case (`rawValue:` is not called, which
  /// is tested too).
  static let enumerations = ["$sSSSHsWP", "$ss21_findStringSwitchCase"]

  static func declaresWords(_ source: String) -> Bool {
    source.contains(
      /enum (Code|Expected|Side|Part|Response|Kind|TokenPart|PayloadPlacement|Partition|Source|HashClaim|TokenKind): String/
    )
  }

  /// A call by a module is accepted, and an entry that nothing needs any more goes.
  // TraitChecks, and headers of C, have no code.
  @Test(
    arguments: ModuleFolders.names.filter { $0 != "TraitChecks" && !$0.hasPrefix("CTokenSecurity") }
      .sorted())
  func textIsComparedByItsBytes(module: String) async throws {
    let files = try Self.swiftFiles(of: module)
    try #require(!files.isEmpty)
    let places = files.map { ($0 as NSString).lastPathComponent.replacing(".swift", with: "") }
    let used = try await Self.refusedSymbols(of: module, files: places)
    for (file, place) in zip(files, places) {
      for symbol in used[place] ?? [] {
        guard let refused = Self.refused.first(where: { symbol.hasPrefix($0.symbol) }) else { continue }
        if Self.enumerations.contains(refused.symbol),
          try (Self.mixesFiles ? files : [file]).contains(where: {
            try Self.declaresWords(String(contentsOfFile: $0, encoding: .utf8))
          })
        {
          continue
        }
        let isAccepted = Self.accepted.contains {
          symbol.hasPrefix($0.symbol)
            && $0.files.contains {
              Self.mixesFiles ? $0.hasPrefix("\(module)/") : $0 == "\(module)/\(place)"
            }
        }
        #expect(isAccepted, "\(module)/\(place).swift uses \(refused.name)")
      }
    }
    for entry in Self.accepted {
      for file in entry.files where file.hasPrefix("\(module)/") {
        let symbols =
          Self.mixesFiles
          ? used.values.flatMap { $0 } : used[String(file.dropFirst(module.count + 1))] ?? []
        #expect(
          symbols.contains { $0.hasPrefix(entry.symbol) },
          "\(file) no longer uses \(entry.symbol): \(entry.reason)")
      }
    }
  }

  @Test func acceptedFilesBelongToModules() {
    for file in Self.accepted.flatMap(\.files) {
      #expect(ModuleFolders.names.contains(String(file.prefix { $0 != "/" })), "\(file)")
    }
  }

  /// No enumeration of String is made from text.
  @Test func noTextSelectsACaseByTheStandardLibrary() throws {
    for module in ModuleFolders.names {
      for file in try Self.swiftFiles(of: module) {
        let source = try String(contentsOfFile: file, encoding: .utf8)
        for word in [
          "Code", "Expected", "Side", "Response", "TokenPart", "PayloadPlacement", "Partition", "HashClaim",
          "TokenKind",
        ] {
          #expect(!source.contains("\(word)(rawValue:"), "\(file) makes \(word) from text")
        }
      }
    }
  }

  /// True where a module was compiled at a time: an object then also has what other files of its module need, so that the
  /// module as a whole is compared. A build in batches compares files.
  static let mixesFiles = ProcessInfo.processInfo.environment["WHOLE_MODULES"]?.isEmpty == false

  /// Where this test's own bundle was built.
  static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

  private static func swiftFiles(of module: String) throws -> [String] {
    let folder = "\(VectorFile.root)/\(try #require(ModuleFolders.paths[module]))"
    guard let names = FileManager.default.enumerator(atPath: folder) else { return [] }
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
  }

  /// The refused symbols that objects of a module use, by the names of their files.
  private static func refusedSymbols(of module: String, files: [String]) async throws -> [String: [String]] {
    let folder = products.appending(path: module.replacing("-", with: "_") + ".build").path
    let objects = files.map { "\(folder)/\($0).swift.o" }
    for object in objects {
      try #require(FileManager.default.fileExists(atPath: object), "\(object) is missing: build first")
    }
    // All objects at once. `grep` leaves a few lines of hundreds of thousands, and ends with 1 if it leaves none.
    let result = try await Program.run(
      [
        "bash", "-c", #"set -o pipefail; nm -A --undefined-only "$@" | { grep -F "$0" || [ $? = 1 ]; }"#,
        refused.map { " \($0.symbol)" }.joined(separator: "\n"),
      ] + objects)
    try #require(result.status == 0, "nm cannot read the objects of \(module): \(result.errorText)")
    var symbols: [String: [String]] = [:]
    for line in result.text.split(separator: "\n") {
      let parts = try #require(line.wholeMatch(of: /.*\/([^\/]+)\.swift\.o: +[A-Za-z] (.+)/), "\(line)")
      symbols[String(parts.output.1), default: []].append(String(parts.output.2))
    }
    return symbols
  }
}
