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
  func isRefused(name: String) async throws {
    let path = "\(Self.folder)/\(name)"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let first = try #require(text.split(separator: "\n").first)
    let check = try await Compiler.check([path])
    if first == "// accepted" {
      #expect(check.status == 0, "\(check.output)")
    } else {
      let expected = try #require(first.split(separator: ":", maxSplits: 1).last).trimmingCharacters(
        in: .whitespaces)
      #expect(first.hasPrefix("// error:"))
      #expect(check.status != 0)
      #expect(check.output.contains("error: \(expected)"), "\(check.output)")
    }
  }
}
