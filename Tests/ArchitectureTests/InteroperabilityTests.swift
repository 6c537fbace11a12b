internal import Foundation
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

/// `docs/interoperability.md` is the table of `Vectors/interoperability.json`, and each row has a test.
///
/// `WRITE_TABLES=1` writes the page anew.
@Suite struct InteroperabilityTests {
  private static let members = [
    "topic", "behaviour", "tool", "version", "accepted", "setting", "code", "test", "since",
  ]

  private static func rows() throws -> [[String: String]] {
    let file = try VectorFile.bytes("\(VectorFile.root)/Vectors/interoperability.json")
    let list = try #require(
      try JSONValue(parsing: String(decoding: file, as: UTF8.self)).object?["rows"]?.array)
    return try list.map { value in
      let object = try #require(value.object)
      #expect(object.members.map(\.name) == members)
      return Dictionary(uniqueKeysWithValues: object.members.map { ($0.name, $0.value.string ?? "") })
    }
  }

  /// The page between its introduction and the end of the file.
  private static func table(_ rows: [[String: String]]) -> String {
    var text = ""
    var topic = ""
    for row in rows {
      if row["topic"] != topic {
        topic = row["topic"] ?? ""
        text += "\n## \(topic)\n\n| tool | what it sends or reads | accepted | since |\n|---|---|---|---|\n"
      }
      var accepted = row["accepted"] ?? ""
      if let code = row["code"], !code.isEmpty { accepted += ", `\(code)`" }
      if let setting = row["setting"], !setting.isEmpty { accepted += ": \(setting)" }
      let tool = [row["tool"], row["version"]].compactMap(\.self).filter { !$0.isEmpty }.joined(
        separator: " ")
      text +=
        "| \(tool) | \(row["behaviour"] ?? "") | \(accepted) | \(row["since"] ?? "") |\n"
    }
    return text
  }

  @Test func thePageHasTheRows() throws {
    let path = "\(VectorFile.root)/docs/interoperability.md"
    let page = String(decoding: try VectorFile.bytes(path), as: UTF8.self)
    let start = try #require(page.range(of: "\n## ")?.lowerBound)
    let expected = String(page[..<start]) + Self.table(try Self.rows())
    if ProcessInfo.processInfo.environment["WRITE_TABLES"] == "1" {
      try expected.write(toFile: path, atomically: true, encoding: .utf8)
    }
    #expect(page == expected)
  }

  @Test func rowsAreComplete() throws {
    var seen: Set<String> = []
    for row in try Self.rows() {
      for name in ["topic", "behaviour", "tool", "test", "since"] {
        #expect(row[name]?.isEmpty == false, "\(row)")
      }
      #expect(row["version"]?.isEmpty == false || row["tool"] == "any", "\(row)")
      #expect(["yes", "no", "by choice", "prevented"].contains(row["accepted"]))
      #expect(row["accepted"] != "no" || row["code"]?.isEmpty == false, "\(row)")
      let needsSetting = ["by choice", "prevented"].contains(row["accepted"])
      #expect(!needsSetting || row["setting"]?.isEmpty == false, "\(row)")
      #expect(row.values.allSatisfy { !$0.contains("|") && !$0.contains("\n") })
      #expect(seen.insert("\(row["tool"] ?? "") \(row["behaviour"] ?? "")").inserted, "\(row) stands twice")
    }
  }

  /// A row that a test of `Tests/Interop` proves has the version with which it runs.
  @Test func versionsAreThoseOfTheTests() throws {
    let file = try VectorFile.bytes("\(VectorFile.root)/Tests/Interop/requirements.txt")
    var versions: [String: String] = [:]
    for line in String(decoding: file, as: UTF8.self).split(separator: "\n") {
      guard let pin = line.wholeMatch(of: /([A-Za-z0-9-]+)(?:\[.*\])?==(.+)/) else { continue }
      versions[String(pin.1)] = String(pin.2)
    }
    var compared: Set<String> = []
    for row in try Self.rows() where row["test"]?.hasPrefix("test_") == true {
      guard let tool = row["tool"], let expected = versions[tool] else { continue }
      let version = row["version"] ?? ""
      // The rest after the version says how it was used.
      #expect(version == expected || version.hasPrefix(expected + " "), "\(tool) is \(expected) in the tests")
      compared.insert(tool)
    }
    #expect(compared.count >= 8, "\(compared)")
  }

  /// `SUITE/name`: a function of a file of tests, in Swift or Python, or a transcript's file and a part of its comment.
  @Test func eachRowHasATest() throws {
    var files: [String: String] = [:]
    for case let path as String in try #require(
      FileManager.default.enumerator(atPath: "\(VectorFile.root)/Tests"))
    {
      let name = (path as NSString).lastPathComponent
      guard ["swift", "py", "txt"].contains((name as NSString).pathExtension) else { continue }
      files[(name as NSString).deletingPathExtension, default: ""] += try String(
        contentsOfFile: "\(VectorFile.root)/Tests/\(path)", encoding: .utf8)
    }
    for row in try Self.rows() {
      let parts = (row["test"] ?? "").split(separator: "/", maxSplits: 1).map(String.init)
      let text = files[parts.first ?? ""]
      let name = parts.last ?? ""
      let isThere = ["func \(name)(", "def \(name)(", "# \(name)"].contains { text?.contains($0) == true }
      #expect(isThere, "\(row["test"] ?? "")")
    }
  }
}
