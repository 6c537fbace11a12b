internal import Foundation
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// The Swift compiler, run with the modules that were built for these tests and the language mode of a user's
/// package.
enum Compiler {
  /// The end of a compilation.
  struct Check: Sendable {
    /// The exit status.
    let status: Int32
    /// The diagnostics.
    let output: String
    /// The CPU seconds of the compiler's processes.
    let seconds: Double
  }

  /// Type-checks files as one module and runs the checks of ownership.
  ///
  /// - Parameter paths: Swift files without top-level code.
  /// - Returns: The compiler's exit status, its diagnostics and its cost.
  /// - Throws: An error of Foundation if the compiler cannot be started.
  static func check(_ paths: [String]) async throws -> Check {
    let flags = await headers.value + moduleMaps.map { "-fmodule-map-file=\($0)" }
    // The shell prints its own times and, in the second line, those of the processes that it waited for.
    let result = try await Program.run(
      [
        "sh", "-c", #""$@"; status=$?; times; exit $status"#, "sh", "swiftc", "-emit-sil", "-wmo", "-o",
        "/dev/null", "-parse-as-library", "-swift-version", "6", "-suppress-warnings", "-module-name",
        "Checked",
        "-I", products.appending(path: "Modules").path(),
      ] + flags.flatMap { ["-Xcc", $0] } + paths)
    let children = try result.text.split(separator: "\n").last?.split(separator: " ").map(seconds) ?? []
    return Check(
      status: result.status, output: result.errorText + result.text, seconds: children.reduce(0, +))
  }

  /// The names of the public types that a module declares outside of other types.
  static func publicTypes(of module: String) async throws -> [String] {
    struct Graph: Decodable {
      struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        let kind: Kind
        let pathComponents: [String]
      }
      let symbols: [Symbol]
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let flags = await headers.value + moduleMaps.map { "-fmodule-map-file=\($0)" }
    let result = try await Program.run(
      [
        "sh", "-c", #"exec swift symbolgraph-extract -target "$(uname -m)-unknown-linux-gnu" "$@""#, "sh",
        "-module-name", module, "-minimum-access-level", "public", "-skip-synthesized-members",
        "-I", products.appending(path: "Modules").path(), "-output-dir", folder.path(),
      ] + flags.flatMap { ["-Xcc", $0] })
    guard result.status == 0 else { throw VectorFileError("\(module): \(result.errorText)") }
    let graph = try Data(contentsOf: folder.appending(path: "\(module).symbols.json"))
    return try JSONDecoder().decode(Graph.self, from: graph).symbols.filter {
      $0.pathComponents.count == 1 && types.contains($0.kind.identifier)
    }.map { $0.pathComponents[0] }
  }

  private static let types: Set = [
    "swift.struct", "swift.enum", "swift.class", "swift.actor", "swift.protocol", "swift.typealias",
  ]

  /// The value of `1m2.500000s`.
  private static func seconds(_ time: Substring) throws -> Double {
    guard let match = time.wholeMatch(of: /([0-9]+)m([0-9.]+)s/), let minutes = Double(match.output.1),
      let rest = Double(match.output.2)
    else { throw VectorFileError("the shell printed \(time) in place of a time") }
    return 60 * minutes + rest
  }

  /// Where the headers of C libraries are that have a folder of their own.
  private static let headers = Task {
    let result = try? await Program.run(["pkg-config", "--cflags-only-I", "libpq"])
    return result?.text.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
  }

  private static let products = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// The module maps of the C modules that built modules import: SwiftPM's own, those of other packages,
  /// ours.
  private static let moduleMaps: [String] = {
    func children(_ folder: URL) -> [URL] {
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }
    let checkouts = products.deletingLastPathComponent().deletingLastPathComponent().appending(
      path: "checkouts")
    let packages = children(checkouts) + [URL(filePath: VectorFile.root)]
    // Ours are a folder deeper: below the layers.
    let folders = packages.flatMap { children($0.appending(path: "Sources")) }
    let sources = folders + folders.filter { $0.path().hasPrefix(VectorFile.root) }.flatMap(children)
    // FlyingFox has its targets outside of Sources.
    let targets = sources + packages.flatMap(children)
    return (children(products) + sources + targets.map { $0.appending(path: "include") })
      .map { $0.appending(path: "module.modulemap").path() }
      .filter { FileManager.default.fileExists(atPath: $0) }
  }()
}
