internal import Foundation
internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Package.swift is the one list of modules.
@Suite struct ModuleListTests {
  /// A line in Package.swift adds a module: its layer, its product, the order of compilation and the rows of the tables
  /// come from there.
  @Test func aModuleIsAddedByOneEdit() async throws {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: "\(root)/docs", withIntermediateDirectories: true)
    for page in [".spi.yml", "CONTRIBUTING.md", "docs/modules.md"] {
      try FileManager.default.copyItem(atPath: "\(VectorFile.root)/\(page)", toPath: "\(root)/\(page)")
    }
    let manifest = try String(contentsOfFile: "\(VectorFile.root)/Package.swift", encoding: .utf8)
    let place = #"    .target(name: "OneTimeCodes""#
    #expect(manifest.components(separatedBy: place).count == 2)
    let line = #"    .target(name: "Added", dependencies: ["JOSE", "NeedsTraitOpenIDConnect"]),"#
    try manifest.replacing(place, with: "\(line)\n\(place)").write(
      toFile: "\(root)/Package.swift", atomically: true, encoding: .utf8)
    try "internal import Added\n".write(toFile: "\(root)/Use.swift", atomically: true, encoding: .utf8)

    let package = try await Manifest(of: root)
    #expect(package.folders["Added"] == "Sources/Standards/Added")
    #expect(package.dependencies["Added"] == ["JOSE"] && package.libraries.contains("Added"))
    #expect(package.products["Added"] == ["swift-log", "swift-metrics"])
    let compiled = try await run("for", "\(root)/Use.swift", in: root)
    #expect(
      compiled.text.hasSuffix(" JOSE=Sources/Standards/JOSE\nAdded=Sources/Standards/Added\n")
        || compiled.text.hasSuffix("\nJOSE=Sources/Standards/JOSE\nAdded=Sources/Standards/Added\n"))
    #expect(try await run(in: root).text.split(separator: "\n").contains("Added"))

    #expect(try await run("tables", "--check", in: root).status == 1)
    #expect(try await run("tables", in: root).status == 0)
    #expect(try await run("tables", "--check", in: root).status == 0)
    for (page, row) in [
      ("CONTRIBUTING.md", "| `Standards` | `AccessPolicies`, `Added`, "),
      ("docs/modules.md", "| `OpenIDConnect` | `Added`, "),
    ] {
      #expect(try String(contentsOfFile: "\(root)/\(page)", encoding: .utf8).contains(row))
    }
  }

  /// The tables that readers see are those of Package.swift.
  @Test func tablesAreThoseOfThePackage() async throws {
    let check = try await run("tables", "--check", in: VectorFile.root)
    #expect(check.status == 0, "\(check.errorText)")
  }

  /// More modules and products than these need a decision.
  @Test func thereAreFewModules() async throws {
    let package = try await Manifest.ofThisPackage.value
    #expect(package.dependencies.count <= 35 && package.products.count <= 30)
  }

  /// A user of one-time codes fetches nothing.
  @Test func oneTimeCodesNeedNoPackage() async throws {
    #expect(try await Manifest.ofThisPackage.value.products["OneTimeCodes"] == [])
  }

  private func run(_ arguments: String..., in root: String) async throws -> Program.Result {
    try await Program.run(
      ["\(VectorFile.root)/.ci/modules", "--root", root] + arguments, in: VectorFile.root)
  }
}
