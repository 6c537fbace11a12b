internal import Foundation
internal import TokenSecurityVectorFiles

/// The Swift compiler, run with the modules that were built for these tests and the language mode of a user's
/// package.
enum Compiler {
  /// Type-checks files as one module and runs the checks of ownership.
  ///
  /// - Parameter paths: Swift files without top-level code.
  /// - Returns: The compiler's exit status and its diagnostics.
  /// - Throws: An error of `Process` if the compiler cannot be started.
  static func check(_ paths: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-emit-sil", "-wmo", "-o", "/dev/null", "-parse-as-library", "-swift-version", "6",
        "-suppress-warnings", "-module-name", "Checked", "-I", products.appending(path: "Modules").path(),
      ] + (headers + moduleMaps.map { "-fmodule-map-file=\($0)" }).flatMap { ["-Xcc", $0] } + paths
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  /// Where the headers of C libraries are that have a folder of their own.
  private static let headers: [String] = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["pkg-config", "--cflags-only-I", "libpq"]
    let pipe = Pipe()
    process.standardOutput = pipe
    guard (try? process.run()) != nil else { return [] }
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return output.split(whereSeparator: \.isWhitespace).map(String.init)
  }()

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
    let sources = packages.flatMap { children($0.appending(path: "Sources")) }
    return (children(products) + sources + sources.map { $0.appending(path: "include") })
      .map { $0.appending(path: "module.modulemap").path() }
      .filter { FileManager.default.fileExists(atPath: $0) }
  }()
}
