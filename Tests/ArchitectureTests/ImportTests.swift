internal import Foundation
internal import Testing
internal import VectorFiles

/// The arrows between the rooms, as a test: nobody edits this list to make it pass.
@Suite struct ImportTests {
  /// What each room may see. System modules are named where a room needs them.
  static let rooms: [String: Set<String>] = [
    "COpenSSL": [],
    "CryptoPrimitives": ["COpenSSL", "Glibc", "Synchronization"],
    "Encodings": [],
    "JOSE": ["CryptoPrimitives", "Encodings", "FoundationEssentials", "Glibc", "TokenLifetime"],
    "TokenLifetime": [],
    "verify-token": [
      "ArgumentParser", "CryptoPrimitives", "Dispatch", "Encodings", "Glibc", "JOSE", "Synchronization",
      "TokenLifetime",
    ],
  ]

  @Test func roomsSeeOnlyWhatIsBelow() throws {
    let sources = "\(VectorFile.root)/Sources"
    let folders = try FileManager.default.contentsOfDirectory(atPath: sources)
    #expect(Set(folders) == Set(Self.rooms.keys))
    var files = 0
    for folder in folders {
      let allowed = try #require(Self.rooms[folder])
      for name in try FileManager.default.contentsOfDirectory(atPath: "\(sources)/\(folder)")
      where name.hasSuffix(".swift") {
        files += 1
        let text = try String(contentsOfFile: "\(sources)/\(folder)/\(name)", encoding: .utf8)
        for module in imports(text) {
          #expect(allowed.contains(module), "\(folder)/\(name) imports \(module)")
        }
      }
    }
    #expect(files > 40)
  }

  @Test func onlyOneRoomSeesOpenSSL() {
    for (room, allowed) in Self.rooms where room != "CryptoPrimitives" {
      #expect(!allowed.contains("COpenSSL"))
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
