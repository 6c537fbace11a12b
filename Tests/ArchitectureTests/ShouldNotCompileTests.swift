internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// Misuse does not build: each file in `Tests/ShouldNotCompile` must be refused by the compiler with the
/// words that its first line expects, and the control file must be accepted.
@Suite struct ShouldNotCompileTests {
  static let folder = "\(VectorFile.root)/Tests/ShouldNotCompile"

  @Test(
    arguments: try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
      .sorted())
  func isRefused(name: String) throws {
    let path = "\(Self.folder)/\(name)"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let first = try #require(text.split(separator: "\n").first)
    let (status, output) = try compile(path)
    if first == "// accepted" {
      #expect(status == 0, "\(output)")
    } else {
      let expected = try #require(first.split(separator: ":", maxSplits: 1).last).trimmingCharacters(
        in: .whitespaces)
      #expect(first.hasPrefix("// error:"))
      #expect(status != 0)
      #expect(output.contains("error: \(expected)"), "\(output)")
    }
  }

  /// The README's example builds as it stands.
  @Test func theReadmeBuilds() throws {
    let readme = try String(contentsOfFile: "\(VectorFile.root)/README.md", encoding: .utf8)
    let example = try #require(readme.firstMatch(of: /```swift\n((?s).*?)```/)).output.1
    #expect(example.contains("import OpenIDConnect"))
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).swift")
    try String(example).write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    let (status, output) = try compile(file.path())
    #expect(status == 0, "\(output)")
  }

  private func compile(_ path: String) throws -> (Int32, String) {
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swiftc", "-emit-sil", "-o", "/dev/null", "-parse-as-library", "-swift-version", "6", "-I",
      products.appending(path: "Modules").path(),
      "-Xcc", "-fmodule-map-file=\(VectorFile.root)/Sources/CTokenSecurityOpenSSL/module.modulemap", path,
    ]
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
