internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// Which module imports which, as a test.
@Suite struct ImportTests {
  /// A folder of Sources is a layer: what its modules import forms no cycle with another layer.
  @Test func layersFormNoCycle() async throws {
    let manifest = try await Manifest.ofThisPackage.value
    let layers = Set(ModuleFolders.paths.values.map { String($0.split(separator: "/")[1]) })
    #expect(layers.count == 8)
    for layer in layers.subtracting(manifest.layers) {
      Issue.record("modules of \(layer) and of a layer below it import each other")
    }
    for (module, dependencies) in manifest.dependencies {
      for imported in dependencies {
        guard let other = manifest.folders[imported] else { continue }
        let (own, lower) = (Self.layer(manifest.folders[module]), Self.layer(other))
        let places = (manifest.layers.firstIndex(of: own), manifest.layers.firstIndex(of: lower))
        guard let place = places.0, let lowerPlace = places.1 else { continue }
        #expect(lowerPlace <= place, "\(module) imports \(imported), which is above it")
      }
    }
  }

  /// A module has the folder with its name, and a folder has a module.
  @Test func foldersAreModules() async throws {
    let folders = try await Manifest.ofThisPackage.value.folders
    #expect(folders == ModuleFolders.paths.filter { $0.key != "TraitChecks" })
  }

  private static func layer(_ folder: String?) -> String {
    (folder?.split(separator: "/").dropFirst().first).map(String.init) ?? ""
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
          dependencies.contains(other) || Self.ofTheSystem(module).contains(other)
            || text.hasPrefix("#if RecordsSQLite\n") && other == "Foundation",
          "\(module)/\(name) imports \(other), on which Package.swift does not let it depend")
      }
    }
    // A product may have modules of other names, and one of them may be enough.
    let unused = dependencies.subtracting(imported).subtracting([
      "CTokenSecuritySodium", "CTokenSecurityXXHash",
    ])
    #expect(unused.isEmpty, "\(module) depends on \(unused.sorted()) and imports nothing of them")
  }

  /// The modules outside all packages that a module may import.
  private static func ofTheSystem(_ module: String) -> Set<String> {
    let all: Set = ["Dispatch", "Synchronization"]
    return switch module {
    case "TokenSecurityPlatform": all.union(["Darwin", "Glibc", "Musl"])
    // For checks with valgrind, which have this module.
    case "TokenSecurityCrypto": all.union(["CMemcheck"])
    case "TimestampFoundation": all.union(["FoundationEssentials"])
    // The whole of Foundation comes with a database or an HTTP server.
    case "RecordsSQLite", "ServiceHosting", "identity-service":
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
    ("CTokenSecurityCurl", ["CurlTransport"]), ("CurlTransport", []),
    ("CTokenSecurityQRencode", ["OTPQRCode"]), ("CTokenSecurityStringprep", ["PasswordPreparation"]),
    ("OTPQRCode", ["verify-token-qr"]), ("GRDB", ["CognitoIdentity", "RecordsSQLite"]),
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
    let isOfATrait = text.hasPrefix("#if ")
    return text.split(separator: "\n").compactMap { line in
      // An indented import stands in a text that is shown, except in a file of a trait.
      guard line.first != " " || isOfATrait && !line.hasPrefix("   ") else { return nil }
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
