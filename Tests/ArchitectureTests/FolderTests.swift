internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// The folders of a module are layers: references between them form no cycle.
@Suite struct FolderTests {
  @Test(arguments: ModuleFolders.names)
  func foldersFormNoCycle(module: String) async throws {
    let folder = try #require(ModuleFolders.paths[module])
    let graph = FolderGraph(try await CompilerIndex.ofThisBuild.value, below: "\(folder)/")
    let cycle = graph.edgesInCycles
    #expect(cycle.isEmpty, "\(module): \(cycle.joined(separator: "; "))")
  }

  /// Each file of a module is known to the index: what is missing there would not be seen.
  @Test func theIndexHasAllFiles() async throws {
    let index = try await CompilerIndex.ofThisBuild.value
    let known = Set(index.definitions.values)
    for (module, folder) in ModuleFolders.paths {
      // Files of a trait that the tests do not have are compiled without declarations.
      let files = try ModuleFolders.sources(of: module).filter {
        !$0.value.hasPrefix("#if ") && $0.value.contains(/\b(?:func|struct|enum|class|extension|var|let)\b/)
      }
      let missing = files.keys.filter {
        $0 != "Exports.swift" && !$0.hasPrefix("Package") && !known.contains("\(folder)/\($0)")
      }
      #expect(missing.isEmpty, "\(module): the index does not know \(missing.sorted())")
    }
  }

  @Test func aCycleIsFound() {
    let line = [("Low", "Lower", "a"), ("High", "Low", "b"), ("High", "Lower", "c")]
    #expect(FolderGraph(line).edgesInCycles.isEmpty)
    let cycle = FolderGraph(line + [("Lower", "High", "e"), ("Lower", "High", "d"), ("Higher", "High", "f")])
    #expect(
      cycle.edgesInCycles == ["High → Low (b)", "High → Lower (c)", "Low → Lower (a)", "Lower → High (d)"])
  }

  /// A member that is used without the name of its type is a reference to the file that declares it: `text` of
  /// `VectorFileError` in a test of this module stands for it.
  @Test func membersAreReferences() async throws {
    let index = try await CompilerIndex.ofThisBuild.value
    let own = index.references.filter {
      $0.file == "Tests/ArchitectureTests/FolderTests.swift" && $0.name == "edgesInCycles"
    }
    #expect(!own.isEmpty)
    for reference in own {
      #expect(index.definitions[reference.usr] == "Tests/ArchitectureTests/FolderGraph.swift")
    }
  }
}
