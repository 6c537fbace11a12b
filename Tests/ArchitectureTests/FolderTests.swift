internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// The folders of a module are layers: references between them form no cycle.
@Suite struct FolderTests {
  /// Modules in which a cycle is accepted, and why.
  static let accepted: [String: String] = [:]

  @Test(arguments: ImportTests.modules.keys.sorted())
  func foldersFormNoCycle(module: String) throws {
    let graph = FolderGraph(try Self.sources(of: module))
    let cycle = graph.edgesInCycles
    if let reason = Self.accepted[module] {
      #expect(!cycle.isEmpty, "\(module) has no cycle any more: \(reason)")
    } else {
      #expect(cycle.isEmpty, "\(module): \(cycle.joined(separator: "; "))")
    }
  }

  /// The files of a module, by their paths.
  static func sources(of module: String) throws -> [String: String] {
    let folder = "\(VectorFile.root)/Sources/\(module)"
    let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
    var sources: [String: String] = [:]
    for name in names where name.hasSuffix(".swift") {
      sources[name] = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }
    return sources
  }

  @Test func aCycleIsFound() {
    let graph = FolderGraph([
      "Low/A.swift": "struct A { var b: B? }", "High/B.swift": "struct B { let text = \"A\" }  // A",
    ])
    #expect(graph.edgesInCycles.isEmpty)
    let cycle = FolderGraph([
      "Low/A.swift": "struct A { var b: B? }", "High/B.swift": "extension B { func f(_ a: [A]) {} }",
      "High/C.swift": "struct B {}",
    ])
    #expect(
      cycle.edgesInCycles == ["High → Low (High/B.swift: A)", "Low → High (Low/A.swift: B)"])
  }

  /// `A.Kind` is where `Kind` is declared, and inside of `A` it is meant before a type of the same name.
  @Test func nestedTypesAreWhereTheyAreDeclared() {
    let sources = [
      "Low/A.swift": "struct A { enum Kind {} }\nextension A { var kind: Kind { .init() } }",
      "High/Kind.swift": "struct Kind { var a: A.Kind }", "High/B.swift": "extension A { struct Part {} }",
    ]
    #expect(FolderGraph(sources).edgesInCycles.isEmpty)
    var others = sources
    others["Low/C.swift"] = "func f() -> A.Part? { nil }"
    #expect(!FolderGraph(others).edgesInCycles.isEmpty)
  }
}
