internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// Which module imports which, as a test.
@Suite struct ImportTests {
  /// The modules by layers, the lowest first. A module imports lower layers, and of its own layer modules to
  /// its left.
  static let layers: [[String]] = [
    [
      "CTokenSecurityOpenSSL", "CTokenSecurityPostgreSQL", "CTokenSecurityQRencode", "CTokenSecuritySodium",
      "CTokenSecurityStringprep", "CTokenSecurityXXHash",
      "TraitChecks", "TokenSecurityPlatform", "TokenSecurityEncodings", "TokenSecurityCrypto",
    ],
    ["TokenLifetime", "TimestampFoundation", "AWSNames", "HTTPExchange", "AsyncHTTPTransport"],
    [
      "JOSE", "OpenIDConnect", "SigV4", "SigV4HTTPTypes", "AWSCredentials",
      "SigV4Credentials", "SecureRemotePassword", "CognitoSRP", "OneTimeCodes", "OTPQRCode",
      "PasswordPreparation", "Records", "RecordsPostgreSQL", "RecordsSQLite",
      "SigningKeyRings",
    ],
    [
      "ServiceOperations", "CognitoIdentityOperations", "CognitoUserPoolOperations",
      "CognitoSyncOperations", "SecurityTokenOperations",
    ],
    [
      "CognitoIdentity", "CognitoIdentitySQLite", "CognitoIdentityClient", "CognitoUserPool",
      "CognitoUserPoolClient", "CognitoSync", "CognitoSyncPush", "CognitoSyncClient",
      "CognitoSyncClientSQLite",
    ],
    ["PolicyDocuments"],
    ["RequestAuthorization", "ServiceHosting"],
    [
      "TokenSecurityC", "identity-service", "verify-token", "verify-token-fetch", "verify-token-qr",
      "verify-token-serve",
    ],
  ]

  @Test func modulesImportLowerLayers() async throws {
    let order = Self.layers.flatMap { $0 }
    #expect(order.count == Set(order).count && Set(order) == Set(ModuleFolders.names))
    let manifest = try await Manifest.ofThisPackage.value
    for (place, module) in order.enumerated() {
      for imported in manifest.dependencies[module] ?? [] {
        guard let other = order.firstIndex(of: imported) else { continue }
        #expect(other < place, "\(module) imports \(imported), which is above it or to its right")
      }
    }
  }

  /// Package.swift says what a module imports; it has no dependency that no file imports.
  @Test(arguments: ModuleFolders.names.filter { $0 != "TraitChecks" && !$0.hasPrefix("CTokenSecurity") })
  func modulesImportWhatTheyDependOn(module: String) async throws {
    let dependencies = try #require(try await Manifest.ofThisPackage.value.dependencies[module])
    var imported: Set<String> = []
    for (name, text) in try ModuleFolders.sources(of: module) {
      for other in imports(text) where other != module {
        imported.insert(other)
        #expect(
          dependencies.contains(other) || Self.ofTheSystem(module).contains(other),
          "\(module)/\(name) imports \(other), on which Package.swift does not let it depend")
      }
    }
    // A product may have modules of other names, and one of them may be enough.
    let unused = dependencies.subtracting(imported).subtracting([
      "CTokenSecuritySodium", "CTokenSecurityXXHash",
    ])
    #expect(unused.isEmpty, "\(module) depends on \(unused.sorted()) and imports nothing of them")
  }

  /// What a module may import that no package has.
  private static func ofTheSystem(_ module: String) -> Set<String> {
    let all: Set = ["Dispatch", "Synchronization"]
    return switch module {
    case "TokenSecurityPlatform": all.union(["Darwin", "Glibc", "Musl"])
    // For checks with valgrind, which have this module.
    case "TokenSecurityCrypto": all.union(["CMemcheck"])
    case "TimestampFoundation": all.union(["FoundationEssentials"])
    // The whole of Foundation comes with a database or an HTTP server.
    case "CognitoIdentitySQLite", "RecordsSQLite", "ServiceHosting", "identity-service":
      all.union(["Foundation"])
    default: all
    }
  }

  /// The C library is imported in one file, which chooses the one of the system.
  @Test func oneFileImportsTheCLibrary() throws {
    for module in ModuleFolders.names {
      for (name, text) in try ModuleFolders.sources(of: module)
      where "\(module)/\(name)" != "TokenSecurityPlatform/System.swift" {
        #expect(
          !text.contains(/import (?:\w+ )?(?:Glibc|Musl|Darwin)\b/), "\(module)/\(name) imports the C library"
        )
      }
    }
  }

  /// A channel has no address once its client has reset the connection: it is read once, when the connection is accepted.
  @Test func oneFileReadsAddressesOfConnections() throws {
    var files: [String] = []
    for module in ModuleFolders.names {
      files += try ModuleFolders.sources(of: module).filter { $0.value.contains("remoteAddress") }.map(\.key)
    }
    #expect(files == ["Connections/ConnectionPeer.swift"])
  }

  /// Libraries of the system are for one module each, and a database is for stores in SQLite.
  @Test(arguments: [
    ("CTokenSecurityOpenSSL", ["TokenSecurityCrypto"]), ("CTokenSecuritySodium", ["TokenSecurityCrypto"]),
    ("CTokenSecurityXXHash", ["TokenSecurityCrypto"]), ("CTokenSecurityPostgreSQL", ["RecordsPostgreSQL"]),
    ("CTokenSecurityQRencode", ["OTPQRCode"]), ("CTokenSecurityStringprep", ["PasswordPreparation"]),
    ("OTPQRCode", ["verify-token-qr"]), ("GRDB", ["CognitoIdentitySQLite", "RecordsSQLite"]),
  ])
  func someLibrariesAreForFewModules(library: String, modules: [String]) async throws {
    let users = try await Manifest.ofThisPackage.value.dependencies.filter { $0.value.contains(library) }.keys
    #expect(users.sorted() == modules)
  }

  /// Verifying tokens or requests with keys at hand needs no HTTP client.
  @Test func fewModulesSpeakHTTP() async throws {
    let speakers: Set = [
      "AsyncHTTPTransport", "ServiceHosting", "SigV4Credentials", "identity-service", "verify-token-fetch",
      "verify-token-serve",
    ]
    for (module, dependencies) in try await Manifest.ofThisPackage.value.dependencies {
      let clients = dependencies.filter {
        $0 == "AsyncHTTPTransport" || $0.hasPrefix("NIO") || $0.hasPrefix("AsyncHTTP")
          || $0.hasPrefix("Hummingbird")
      }
      #expect(clients.isEmpty || speakers.contains(module), "\(module) depends on \(clients.sorted())")
    }
  }

  /// A file has one idea. Those that a tool makes have one kind of declarations.
  @Test func filesAreShort() throws {
    let sources = "\(VectorFile.root)/Sources"
    let paths = try #require(FileManager.default.enumerator(atPath: sources))
    for case let path as String in paths where path.hasSuffix(".swift") && !path.contains("/Generated/") {
      let lines = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8).utf8.count { $0 == 0x0A }
      #expect(lines <= 250, "\(path) has \(lines) lines")
    }
  }

  private func imports(_ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      // What is indented stands in a text that is shown.
      guard line.first != " " else { return nil }
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), place <= 2,
        words[..<place].allSatisfy({
          $0.hasPrefix("@") || ["public", "package", "internal", "private", "fileprivate"].contains($0)
        }),
        let last = words.last
      else { return nil }
      return last.split(separator: ".").first.map(String.init)
    }
  }
}
