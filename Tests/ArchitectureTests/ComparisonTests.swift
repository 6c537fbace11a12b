internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// Text from outside is compared by its bytes. This reads which functions of the standard library the built
/// objects call: those that compare text by canonical equivalence, or change its case by Unicode's tables,
/// have no place here.
@Suite struct ComparisonTests {
  /// The functions, by their mangled names, and what to use instead.
  static let refused: [(symbol: String, name: String)] = [
    ("$sSS2eeoiySbSS_SStFZ", "String.== (import TokenSecurityEncodings, which compares bytes)"),
    ("$sSS1loiySbSS_SStFZ", "String.< (import TokenSecurityEncodings, which compares bytes)"),
    ("$sSSSQsWP", "String as Equatable in generic code (use ExactString)"),
    ("$sSSSHsWP", "String as Hashable in generic code (use ExactString as the key)"),
    ("$sSSSLsWP", "String as Comparable in generic code (use ExactString)"),
    ("$sSS9hasPrefixySbSSF", "String.hasPrefix (import TokenSecurityEncodings)"),
    ("$sSS9hasSuffixySbSSF", "String.hasSuffix (import TokenSecurityEncodings)"),
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
        "OpenIDConnect/CognitoIdentityPool", "OpenIDConnect/CognitoUserPool", "OpenIDConnect/LoadBalancer",
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
        "TokenSecurityEncodings/QuotedText", "identity-service/DataCopy", "ServiceHosting/PrometheusText",
        "SigV4/Variations",
      ], "$sSJSQsWP",
      "text that is shown, or tried in an explanation"
    ),
    (
      ["OpenIDConnect/KeySetMetrics", "ServiceHosting/JSONLineLog"], "$sSSSHsWP",
      "the metadata of swift-log"
    ),
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

  // What checks traits has no code.
  @Test(arguments: ImportTests.modules.keys.filter { $0 != "TraitChecks" }.sorted())
  func textIsComparedByItsBytes(module: String) throws {
    let folder = Self.products.appending(path: module.replacing("-", with: "_") + ".build").path
    let sources = "\(VectorFile.root)/Sources/\(module)"
    let files = try Self.swiftFiles(in: sources)
    // The files of TraitChecks have no code, and belong to a target for each trait.
    guard !files.isEmpty, module != "TraitChecks" else { return }
    for file in files {
      let name = (file as NSString).lastPathComponent
      let object = "\(folder)/\(name).o"
      try #require(FileManager.default.fileExists(atPath: object), "\(object) is missing: build first")
      let undefined = try Self.undefinedSymbols(of: object)
      for symbol in undefined {
        guard let refused = Self.refused.first(where: { symbol.hasPrefix($0.symbol) }) else { continue }
        if Self.enumerations.contains(refused.symbol),
          try Self.declaresWords(String(contentsOfFile: file, encoding: .utf8))
        {
          continue
        }
        let place = "\(module)/\(name.replacing(".swift", with: ""))"
        let isAccepted = Self.accepted.contains { $0.files.contains(place) && symbol.hasPrefix($0.symbol) }
        #expect(isAccepted, "\(module)/\(name) uses \(refused.name)")
      }
    }
  }

  /// No enumeration of String is made from text.
  @Test func noTextSelectsACaseByTheStandardLibrary() throws {
    for module in ImportTests.modules.keys {
      for file in try Self.swiftFiles(in: "\(VectorFile.root)/Sources/\(module)") {
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

  /// An entry that nothing needs any more goes.
  @Test func nothingIsAcceptedInVain() throws {
    for entry in Self.accepted {
      for file in entry.files {
        let parts = file.split(separator: "/")
        let object = Self.products.appending(
          path: "\(parts[0].replacing("-", with: "_")).build/\(parts[1]).swift.o"
        ).path
        let undefined = try Self.undefinedSymbols(of: object)
        #expect(
          undefined.contains { $0.hasPrefix(entry.symbol) },
          "\(file) no longer uses \(entry.symbol): \(entry.reason)")
      }
    }
  }

  /// Where this test's own bundle was built.
  static let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()

  private static func swiftFiles(in folder: String) throws -> [String] {
    guard let names = FileManager.default.enumerator(atPath: folder) else { return [] }
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
  }

  private static func undefinedSymbols(of object: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["nm", "--undefined-only", object]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "nm cannot read \(object)")
    return text.split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
  }
}
