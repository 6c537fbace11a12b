internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// The arrows between the rooms, as a test: nobody edits this list to make it pass.
@Suite struct ImportTests {
  /// What each room may see. System modules are named where a room needs them.
  static let rooms: [String: Set<String>] = [
    "CTokenSecurityOpenSSL": [],
    "CTokenSecurityQRencode": [],
    "CTokenSecurityStringprep": [],
    "AWSCredentials": [
      "TokenSecurityCrypto", "TokenSecurityEncodings", "Glibc", "SigV4", "Synchronization", "TokenLifetime",
    ],
    "CognitoIdentity": [
      "TokenSecurityCrypto", "TokenSecurityEncodings", "JOSE", "OpenIDConnect", "SigV4", "Synchronization",
      "TokenLifetime",
    ],
    "CognitoIdentityClient": [
      "AWSCredentials", "TokenSecurityCrypto", "TokenSecurityEncodings", "Glibc", "SigV4",
      "TokenLifetime",
    ],
    "CognitoIdentityClientHTTP": [
      "AWSCredentials", "AsyncHTTPClient", "CognitoIdentityClient", "TokenSecurityCrypto", "NIOCore",
      "NIOHTTP1", "NIOSSL",
    ],
    "CognitoIdentitySQLite": [
      "CognitoIdentity", "TokenSecurityEncodings", "Foundation", "GRDB", "Synchronization",
    ],
    "CognitoSRP": [
      "SecureRemotePassword", "TokenSecurityCrypto", "TokenSecurityEncodings", "Synchronization",
      "TokenLifetime",
    ],
    "TokenSecurityCrypto": ["CMemcheck", "CTokenSecurityOpenSSL", "Glibc", "Synchronization"],
    "TokenSecurityEncodings": [],
    "JOSE": [
      "TokenSecurityCrypto", "TokenSecurityEncodings", "TokenLifetime",
    ],
    "OneTimeCodes": ["TokenSecurityCrypto", "TokenSecurityEncodings", "TokenLifetime"],
    "OTPQRCode": ["CTokenSecurityQRencode", "TokenSecurityCrypto", "TokenSecurityEncodings"],
    "PasswordPreparation": ["CTokenSecurityStringprep", "TokenSecurityCrypto", "Glibc"],
    "OpenIDConnect": [
      "TokenSecurityCrypto", "Dispatch", "TokenSecurityEncodings", "Glibc", "JOSE", "Logging", "Metrics",
      "Synchronization",
      "TokenLifetime",
    ],
    "OpenIDConnectHTTP": [
      "AsyncHTTPClient", "TokenSecurityEncodings", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL",
      "OpenIDConnect",
    ],
    "SecureRemotePassword": ["TokenSecurityCrypto", "TokenSecurityEncodings", "TokenLifetime"],
    "SigV4": ["TokenSecurityCrypto", "TokenSecurityEncodings", "Glibc", "Synchronization", "TokenLifetime"],
    "SigV4Credentials": [
      "AWSCredentials", "AsyncHTTPClient", "TokenSecurityCrypto", "TokenSecurityEncodings", "NIOCore",
      "NIOHTTP1", "NIOSSL", "SigV4",
      "Subprocess", "SystemPackage",
    ],
    "SigV4HTTPTypes": ["TokenSecurityEncodings", "HTTPTypes", "SigV4"],
    "TimestampFoundation": ["FoundationEssentials", "TokenLifetime"],
    "TokenLifetime": ["Darwin", "Glibc", "Musl"],
    "TraitChecks": [],
    "identity-service": [
      "ArgumentParser", "CognitoIdentity", "CognitoIdentitySQLite", "Configuration", "CoreMetrics",
      "TokenSecurityCrypto", "TokenSecurityEncodings", "Foundation", "Glibc", "HTTPTypes", "Hummingbird",
      "HummingbirdCore",
      "JOSE", "Logging", "Metrics", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOPosix",
      "NIOSSL", "OpenIDConnect", "OpenIDConnectHTTP", "ServiceLifecycle", "SigV4HTTPTypes",
      "Synchronization", "SystemPackage", "UnixSignals",
    ],
    "verify-token": [
      "AWSCredentials", "ArgumentParser", "TokenSecurityCrypto", "Dispatch", "TokenSecurityEncodings",
      "Glibc",
      "JOSE", "OneTimeCodes",
      "OpenIDConnect", "SigV4", "Synchronization", "TokenLifetime",
    ],
    "verify-token-fetch": ["TokenSecurityEncodings", "Glibc", "OpenIDConnectHTTP"],
    "verify-token-qr": ["TokenSecurityCrypto", "Glibc", "OTPQRCode"],
  ]

  @Test func roomsSeeOnlyWhatIsBelow() throws {
    let sources = "\(VectorFile.root)/Sources"
    let folders = try FileManager.default.contentsOfDirectory(atPath: sources)
    #expect(Set(folders) == Set(Self.rooms.keys))
    var files = 0
    for folder in folders {
      let allowed = try #require(Self.rooms[folder])
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

  @Test func onlyOneRoomSeesOpenSSL() {
    for (room, allowed) in Self.rooms where room != "TokenSecurityCrypto" {
      #expect(!allowed.contains("CTokenSecurityOpenSSL"))
      #expect(!allowed.contains("CMemcheck"))
    }
  }

  /// Nobody needs the libraries of QR codes and of text preparation who does not ask for them.
  @Test func twoLibrariesAreForTwoRooms() {
    for (room, allowed) in Self.rooms {
      if room != "OTPQRCode" { #expect(!allowed.contains("CTokenSecurityQRencode")) }
      if room != "PasswordPreparation" { #expect(!allowed.contains("CTokenSecurityStringprep")) }
      if room != "verify-token-qr" { #expect(!allowed.contains("OTPQRCode")) }
    }
  }

  /// Whoever verifies tokens or requests with keys at hand gets no HTTP client along.
  @Test func fewRoomsSpeakHTTP() {
    let speakers: Set = [
      "CognitoIdentityClientHTTP", "OpenIDConnectHTTP", "SigV4Credentials", "identity-service",
    ]
    for (room, allowed) in Self.rooms where !speakers.contains(room) {
      #expect(
        !allowed.contains { $0.hasPrefix("NIO") || $0.hasPrefix("AsyncHTTP") || $0.hasPrefix("Hummingbird") })
    }
  }

  /// A database, and the whole of Foundation with it, is for whoever keeps identities in SQLite.
  @Test func oneRoomKeepsADatabase() {
    for (room, allowed) in Self.rooms where room != "CognitoIdentitySQLite" {
      #expect(!allowed.contains("GRDB"))
      if room != "identity-service" { #expect(!allowed.contains("Foundation")) }
    }
  }

  /// A file holds one idea and can be read in one sitting.
  @Test func filesCanBeHeldInTheHead() throws {
    let sources = "\(VectorFile.root)/Sources"
    let paths = try #require(FileManager.default.enumerator(atPath: sources))
    for case let path as String in paths where path.hasSuffix(".swift") {
      let lines = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
        .split(separator: "\n", omittingEmptySubsequences: false).count
      #expect(lines <= 330, "\(path) has \(lines) lines")
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
