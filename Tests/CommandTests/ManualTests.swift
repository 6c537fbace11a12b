internal import Foundation
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

/// The man pages describe every command with its options, in the words of the help.
@Suite struct ManualTests {
  private func page(of program: String) throws -> String {
    String(decoding: try VectorFile.bytes("\(VectorFile.root)/docs/\(program).1"), as: UTF8.self)
  }

  /// An argument or option: its group, its name with its value, and its text.
  struct Entry: Equatable {
    var group = ""
    var name = ""
    var text = ""
  }

  /// The entries of a section of the page.
  static func entries(in section: String, of page: String) throws -> [Entry] {
    let lines = page.split(separator: "\n").map(String.init)
    let start = try #require(lines.firstIndex(of: ".SH \(section)"), "the page has no section \(section)")
    var entries: [Entry] = []
    var group = ""
    var isName = false
    for line in lines[(start + 1)...].prefix(while: { !$0.hasPrefix(".SH") }) {
      let words = line.replacing("\\-", with: "-").replacing("\\&", with: "").replacing("\\e", with: "\\")
      if words.hasPrefix(".SS ") {
        group = String(words.dropFirst(4))
      } else if words == ".TP" {
        isName = true
      } else if isName {
        let name = words.replacing(#/^\.[BI]+ /#, with: "").replacing("\"", with: "").replacing(
          "  ", with: " ")
        entries.append(Entry(group: group, name: name))
        isName = false
      } else if !entries.isEmpty {
        entries[entries.count - 1].text += (entries[entries.count - 1].text.isEmpty ? "" : " ") + words
      }
    }
    return entries
  }

  /// The help's entry for an argument.
  static func entry(_ argument: JSONObject) -> Entry? {
    let name = argument["names"]?.array?.first { $0.object?["kind"] == "long" }?.object?["name"]?.string
    guard name != "help", name != "version" else { return nil }
    let value = argument["valueName"]?.string?.uppercased() ?? ""
    var text = argument["abstract"]?.string ?? ""
    if let values = argument["allValues"]?.strings { text += " Values: \(values.joined(separator: ", "))." }
    if let standard = argument["defaultValue"]?.string { text += " Default: \(standard)." }
    return Entry(
      group: argument["sectionTitle"]?.string ?? (name == nil ? "" : "Options"),
      name: [name.map { "--" + $0 }, argument["kind"] == "flag" ? nil : value].compactMap { $0 }
        .joined(separator: " "), text: text)
  }

  @Test(arguments: Command.names)
  func thePageSaysWhatTheHelpSays(_ program: String) async throws {
    let page = try page(of: program)
    var count = 0
    for command in try await Command.subcommands(of: program) {
      let expected = command.arguments.compactMap(Self.entry)
      guard !expected.isEmpty else { continue }
      let section = command.words.joined(separator: " ").uppercased()
      let described = try Self.entries(in: section, of: page)
      #expect(described.map(\.name) == expected.map(\.name), "\(section)")
      for (entry, help) in zip(described, expected) {
        count += 1
        #expect(entry.group == help.group && entry.text.hasPrefix(help.text), "\(section) \(entry) \(help)")
      }
    }
    #expect(count > 60)
  }

  @Test(arguments: Command.names)
  func theVersionIsTheSameEverywhere(_ program: String) async throws {
    let changes = String(decoding: try VectorFile.bytes("\(VectorFile.root)/CHANGELOG.md"), as: UTF8.self)
    let printed = try await Command.run("\(program) --version").output
    let version = try #require(printed.wholeMatch(of: /[a-z-]+ ([0-9.]+)\n/)).output.1
    #expect(changes.contains("## \(version)"))
    let readme = String(decoding: try VectorFile.bytes("\(VectorFile.root)/README.md"), as: UTF8.self)
    #expect(readme.contains("from: \"\(version)\""))
    #expect(try page(of: program).contains("\"\(program) \(version)\""))
  }
}
