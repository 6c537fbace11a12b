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

  /// What each module may import, modules of the system and of other packages too.
  static let modules: [String: Set<String>] = [
    "CTokenSecurityOpenSSL": [],
    "CTokenSecurityPostgreSQL": [],
    "CTokenSecurityQRencode": [],
    "CTokenSecuritySodium": [],
    "CTokenSecurityStringprep": [],
    "CTokenSecurityXXHash": [],
    "AWSNames": ["TokenSecurityEncodings"],
    "AWSCredentials": [
      "AWSNames",
      "HTTPExchange", "TokenSecurityCrypto", "TokenSecurityEncodings", "TokenSecurityPlatform", "SigV4",
      "Synchronization",
      "TokenLifetime",
    ],
    "CognitoIdentity": [
      "AWSNames", "CognitoIdentityOperations", "JOSE", "OpenIDConnect", "Records",
      "SecurityTokenOperations", "ServiceOperations", "SigV4", "SigningKeyRings", "Synchronization",
      "TokenLifetime", "TokenSecurityCrypto", "TokenSecurityEncodings",
    ],
    "AsyncHTTPTransport": [
      "AsyncHTTPClient", "TokenSecurityPlatform", "HTTPExchange", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL",
      "TokenSecurityEncodings",
    ],
    "CognitoIdentityClient": [
      "AWSNames",
      "AWSCredentials", "CognitoIdentityOperations", "TokenSecurityPlatform", "HTTPExchange",
      "ServiceOperations", "SigV4", "Synchronization", "TokenLifetime", "TokenSecurityCrypto",
      "TokenSecurityEncodings",
    ],
    "CognitoIdentityOperations": ["ServiceOperations", "TokenLifetime", "TokenSecurityEncodings"],
    "CognitoIdentitySQLite": [
      "CognitoIdentity", "Foundation", "GRDB", "RecordsSQLite", "TokenSecurityEncodings",
    ],
    "CognitoSRP": [
      "AWSNames", "SecureRemotePassword", "TokenSecurityCrypto", "TokenSecurityEncodings", "TokenLifetime",
    ],
    "CognitoSync": [
      "CognitoIdentity", "CognitoSyncOperations", "HTTPExchange", "Records", "ServiceOperations",
      "Synchronization", "TokenLifetime", "TokenSecurityCrypto", "TokenSecurityEncodings",
      "TokenSecurityPlatform",
    ],
    "CognitoSyncClient": [
      "AWSNames", "CognitoIdentityClient", "CognitoSyncOperations", "HTTPExchange", "ServiceOperations",
      "SigV4", "Synchronization", "TokenLifetime", "TokenSecurityEncodings",
    ],
    "CognitoSyncClientSQLite": [
      "CognitoSyncClient", "Records", "RecordsSQLite", "TokenLifetime", "TokenSecurityCrypto",
      "TokenSecurityEncodings",
    ],
    "CognitoSyncOperations": [
      "CognitoIdentityOperations", "ServiceOperations", "TokenLifetime", "TokenSecurityEncodings",
    ],
    "CognitoSyncPush": [
      "AWSCredentials", "AWSNames", "CognitoIdentity", "CognitoSync", "HTTPExchange", "ServiceOperations",
      "SigV4", "Synchronization", "TokenLifetime", "TokenSecurityCrypto", "TokenSecurityEncodings",
    ],
    "CognitoUserPool": [
      "AWSNames", "CognitoSRP", "CognitoUserPoolOperations", "Dispatch", "HTTPExchange", "JOSE",
      "OneTimeCodes", "Records",
      "SecureRemotePassword", "ServiceOperations", "SigningKeyRings", "Synchronization", "TokenLifetime",
      "TokenSecurityCrypto", "TokenSecurityEncodings", "TokenSecurityPlatform",
    ],
    "CognitoUserPoolClient": [
      "AWSNames", "CognitoIdentityClient", "CognitoSRP", "CognitoUserPoolOperations", "HTTPExchange", "JOSE",
      "OneTimeCodes", "OpenIDConnect", "SecureRemotePassword", "ServiceOperations", "Synchronization",
      "TokenLifetime", "TokenSecurityCrypto", "TokenSecurityEncodings", "TokenSecurityPlatform",
    ],
    "CognitoUserPoolOperations": ["ServiceOperations", "TokenLifetime", "TokenSecurityEncodings"],
    "TokenSecurityCrypto": [
      "CMemcheck", "CTokenSecurityOpenSSL", "CTokenSecuritySodium", "CTokenSecurityXXHash",
      "TokenSecurityEncodings", "TokenSecurityPlatform", "Synchronization",
    ],
    "TokenSecurityEncodings": [],
    "HTTPExchange": ["TokenSecurityPlatform", "Synchronization", "TokenSecurityEncodings"],
    "TokenSecurityPlatform": ["Darwin", "Glibc", "Musl", "Synchronization"],
    "JOSE": [
      "Synchronization", "TokenLifetime", "TokenSecurityCrypto", "TokenSecurityEncodings",
      "TokenSecurityPlatform",
    ],
    "OneTimeCodes": ["TokenSecurityCrypto", "TokenSecurityEncodings", "TokenLifetime"],
    "OTPQRCode": ["CTokenSecurityQRencode", "TokenSecurityCrypto", "TokenSecurityEncodings"],
    "PasswordPreparation": [
      "CTokenSecurityStringprep", "TokenSecurityCrypto", "TokenSecurityEncodings", "TokenSecurityPlatform",
    ],
    "OpenIDConnect": [
      "AWSNames",
      "TokenSecurityCrypto", "Dispatch", "TokenSecurityEncodings", "TokenSecurityPlatform", "HTTPExchange",
      "JOSE", "Logging",
      "Metrics", "Synchronization", "TokenLifetime",
    ],
    "Records": ["Synchronization", "TokenLifetime", "TokenSecurityEncodings", "TokenSecurityPlatform"],
    "RecordsPostgreSQL": [
      "CTokenSecurityPostgreSQL", "Dispatch", "Records", "Synchronization", "TokenLifetime",
      "TokenSecurityCrypto", "TokenSecurityEncodings", "TokenSecurityPlatform",
    ],
    "RecordsSQLite": [
      "Dispatch", "Foundation", "GRDB", "GRDBSQLite", "Records", "Synchronization", "TokenLifetime",
      "TokenSecurityEncodings", "TokenSecurityPlatform",
    ],
    "SecurityTokenOperations": ["ServiceOperations", "TokenSecurityEncodings"],
    "ServiceOperations": ["HTTPExchange", "TokenLifetime", "TokenSecurityCrypto", "TokenSecurityEncodings"],
    "SecureRemotePassword": ["TokenSecurityCrypto", "TokenSecurityEncodings", "TokenLifetime"],
    "SigV4": [
      "AWSNames",
      "TokenSecurityCrypto", "TokenSecurityEncodings", "TokenSecurityPlatform", "Synchronization",
      "TokenLifetime",
    ],
    "SigV4Credentials": [
      "AWSCredentials", "AsyncHTTPTransport", "HTTPExchange", "SigV4", "Subprocess", "SystemPackage",
      "TokenSecurityCrypto", "TokenSecurityEncodings",
    ],
    "SigV4HTTPTypes": ["TokenSecurityEncodings", "HTTPTypes", "SigV4"],
    "SigningKeyRings": [
      "Dispatch", "JOSE", "Records", "Synchronization", "TokenLifetime", "TokenSecurityCrypto",
      "TokenSecurityEncodings", "TokenSecurityPlatform",
    ],
    "TimestampFoundation": ["FoundationEssentials", "TokenLifetime"],
    "TokenLifetime": ["Synchronization", "TokenSecurityEncodings", "TokenSecurityPlatform"],
    "TraitChecks": [],
    "identity-service": [
      "AWSNames", "ArgumentParser", "AsyncHTTPTransport", "CognitoIdentity", "CognitoIdentityOperations",
      "CognitoIdentitySQLite", "CognitoSRP", "CognitoSync", "CognitoSyncOperations", "CognitoSyncPush",
      "CognitoUserPool", "CognitoUserPoolOperations",
      "SecurityTokenOperations", "ServiceOperations",
      "CoreMetrics", "ServiceHosting",
      "TokenSecurityCrypto", "TokenSecurityEncodings", "Foundation", "TokenSecurityPlatform", "HTTPExchange",
      "HTTPTypes", "Hummingbird",
      "HummingbirdCore",
      "JOSE", "Logging", "Metrics", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOPosix",
      "NIOSSL", "OpenIDConnect", "Records", "RecordsPostgreSQL", "RecordsSQLite", "ServiceLifecycle",
      "SigV4HTTPTypes", "Subprocess", "Synchronization", "SystemPackage", "TokenLifetime", "UnixSignals",
    ],
    "RequestAuthorization": [
      "HTTPExchange", "JOSE", "Logging", "OpenIDConnect", "PolicyDocuments", "TokenSecurityCrypto",
      "TokenSecurityEncodings",
    ],
    "ServiceHosting": [
      "CoreMetrics", "Foundation", "HTTPExchange", "HTTPTypes", "Hummingbird", "HummingbirdCore", "Logging",
      "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOPosix", "NIOSSL", "ServiceLifecycle",
      "Synchronization", "TokenSecurityEncodings", "TokenSecurityPlatform",
    ],
    "verify-token-serve": [
      "AsyncHTTPTransport", "HTTPExchange", "HTTPTypes", "Hummingbird", "JOSE", "Logging", "Metrics",
      "NIOCore",
      "RequestAuthorization", "ServiceHosting", "ServiceLifecycle", "Synchronization", "TokenLifetime",
      "TokenSecurityCrypto", "TokenSecurityEncodings", "TokenSecurityPlatform", "UnixSignals",
    ],
    "verify-token": [
      "AWSCredentials", "AWSNames", "ArgumentParser", "TokenSecurityCrypto", "Dispatch",
      "TokenSecurityEncodings",
      "TokenSecurityPlatform",
      "JOSE", "OneTimeCodes",
      "OpenIDConnect", "SigV4", "Synchronization", "TokenLifetime",
    ],
    "PolicyDocuments": [
      "AWSNames", "JOSE", "OpenIDConnect", "TokenSecurityEncodings", "TokenSecurityPlatform",
    ],
    "TokenSecurityC": [
      "HTTPExchange", "JOSE", "OneTimeCodes", "OpenIDConnect",
      "PolicyDocuments",
      "SecureRemotePassword", "SigV4", "Synchronization", "TokenLifetime", "TokenSecurityCrypto",
      "TokenSecurityEncodings", "TokenSecurityPlatform",
    ],
    "verify-token-fetch": ["AsyncHTTPTransport", "TokenSecurityPlatform", "TokenSecurityEncodings"],
    "verify-token-qr": ["TokenSecurityCrypto", "TokenSecurityPlatform", "OTPQRCode"],
  ]

  @Test func modulesImportLowerLayers() {
    let order = Self.layers.flatMap { $0 }
    #expect(order.count == Set(order).count && Set(order) == Set(Self.modules.keys))
    for (place, module) in order.enumerated() {
      for imported in Self.modules[module] ?? [] {
        guard let other = order.firstIndex(of: imported) else { continue }
        #expect(other < place, "\(module) imports \(imported), which is above it or to its right")
      }
    }
  }

  @Test func modulesImportOnlyWhatIsListed() throws {
    let sources = "\(VectorFile.root)/Sources"
    let folders = try FileManager.default.contentsOfDirectory(atPath: sources)
    #expect(Set(folders) == Set(Self.modules.keys))
    var files = 0
    for folder in folders {
      let allowed = try #require(Self.modules[folder])
      let paths = try #require(FileManager.default.enumerator(atPath: "\(sources)/\(folder)"))
      for case let name as String in paths where name.hasSuffix(".swift") {
        files += 1
        let text = try String(contentsOfFile: "\(sources)/\(folder)/\(name)", encoding: .utf8)
        for module in imports(text) {
          #expect(allowed.contains(module), "\(folder)/\(name) imports \(module)")
        }
      }
    }
    #expect(files > 100)
  }

  /// The C library is imported in one file, which chooses the one of the system.
  @Test func oneFileImportsTheCLibrary() throws {
    for module in Self.modules.keys {
      for (name, text) in try FolderTests.sources(of: module)
      where "\(module)/\(name)" != "TokenSecurityPlatform/System.swift" {
        #expect(
          !text.contains(/import (?:\w+ )?(?:Glibc|Musl|Darwin)\b/), "\(module)/\(name) imports the C library"
        )
      }
    }
    for (module, allowed) in Self.modules where module != "TokenSecurityPlatform" {
      #expect(allowed.isDisjoint(with: ["Darwin", "Glibc", "Musl"]))
    }
  }

  @Test func oneModuleImportsOpenSSL() {
    for (module, allowed) in Self.modules where module != "TokenSecurityCrypto" {
      #expect(!allowed.contains("CTokenSecurityOpenSSL"))
      #expect(!allowed.contains("CTokenSecuritySodium"))
      #expect(!allowed.contains("CTokenSecurityXXHash"))
      #expect(!allowed.contains("CMemcheck"))
    }
  }

  /// The libraries of QR codes, of text preparation and of PostgreSQL are needed by one module each.
  @Test func someLibrariesAreForOneModule() {
    for (module, allowed) in Self.modules {
      if module != "RecordsPostgreSQL" { #expect(!allowed.contains("CTokenSecurityPostgreSQL")) }
      if module != "OTPQRCode" { #expect(!allowed.contains("CTokenSecurityQRencode")) }
      if module != "PasswordPreparation" { #expect(!allowed.contains("CTokenSecurityStringprep")) }
      if module != "verify-token-qr" { #expect(!allowed.contains("OTPQRCode")) }
    }
  }

  /// Verifying tokens or requests with keys at hand needs no HTTP client.
  @Test func fewModulesSpeakHTTP() {
    let speakers: Set = [
      "AsyncHTTPTransport", "ServiceHosting", "SigV4Credentials", "identity-service",
      "verify-token-fetch", "verify-token-serve",
    ]
    for (module, allowed) in Self.modules where !speakers.contains(module) {
      #expect(
        !allowed.contains { $0.hasPrefix("NIO") || $0.hasPrefix("AsyncHTTP") || $0.hasPrefix("Hummingbird") })
    }
  }

  /// A database, and the whole of Foundation with it, is for stores in SQLite alone.
  @Test func fewModulesHaveADatabase() {
    for (module, allowed) in Self.modules where !["CognitoIdentitySQLite", "RecordsSQLite"].contains(module) {
      #expect(!allowed.contains("GRDB"))
      if !["ServiceHosting", "identity-service"].contains(module) {
        #expect(!allowed.contains("Foundation"))
      }
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
