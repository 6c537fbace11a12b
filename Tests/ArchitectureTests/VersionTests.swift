internal import Foundation
internal import Testing
internal import TokenSecurityPlatform
internal import TokenSecurityVectorFiles

/// The version stands in one place; what repeats it for readers agrees.
@Suite struct VersionTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(VectorFile.root)/\(path)", encoding: .utf8)
  }

  @Test(arguments: ["identity-service", "verify-token"])
  func manualPagesHaveTheVersion(program: String) throws {
    let first = try Self.text("docs/\(program).1").split(separator: "\n").first ?? ""
    #expect(first.contains("\"\(program) \(ProgramVersion.current)\""))
  }

  @Test(arguments: ["README.md", "docs/signing-in.md", "docs/synchronisation.md"])
  func guidesHaveTheVersion(path: String) throws {
    let text = try Self.text(path)
    #expect(text.contains("from: \"\(ProgramVersion.current)\""))
  }

  /// The change log has a part for what is not released, then the version with the date of its release.
  @Test func theChangeLogBeginsWithTheVersion() throws {
    let titles = try Self.text("CHANGELOG.md").split(separator: "\n").filter { $0.hasPrefix("## ") }
    #expect(titles.first == "## Unreleased")
    let release = try #require(titles.dropFirst().first?.split(separator: " "))
    #expect(release.count == 4 && release[1] == ProgramVersion.current && release[2] == "-")
    let date = ISO8601DateFormatter()
    date.formatOptions = [.withFullDate]
    #expect(date.date(from: String(release[3])) != nil)
  }
}
