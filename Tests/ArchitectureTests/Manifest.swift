internal import Foundation
internal import TokenSecurityBase
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Package.swift, which is the one list of modules, as `.ci/modules` reads it.
struct Manifest: Sendable {
  /// The modules below Sources and what they depend on: modules of this package and products of others.
  let dependencies: [String: Set<String>]
  /// The folders of the modules.
  let folders: [String: String]
  /// The modules that are no libraries of the system and no programs.
  let libraries: Set<String>
  /// The layers, each after those whose modules its own import. Layers of a cycle are missing.
  let layers: [String]
  /// The products and the packages that each needs.
  let products: [String: Set<String>]

  static let ofThisPackage = Task { try await Manifest(of: VectorFile.root) }

  /// Reads the package in a folder.
  init(of root: String) async throws {
    let result = try await Program.run(
      ["\(VectorFile.root)/.ci/modules", "--root", root, "json"], in: VectorFile.root)
    let found = try JSONValue(parsing: result.text, limits: JSONLimits(size: 16 << 20)).object
    guard let modules = found?["modules"]?.object, let products = found?["products"]?.object,
      let layers = found?["layers"]?.array
    else { throw VectorFileError("the package has no modules: \(result.errorText)") }
    func names(_ value: JSONValue?, _ member: String) -> Set<String> {
      Set((value?.array ?? []).compactMap { $0.string ?? $0.object?[member]?.string })
    }
    func all<Value>(_ object: JSONObject, _ value: (JSONObject) -> Value?) -> [String: Value] {
      var values: [String: Value] = [:]
      for member in object.members { values[member.name] = member.value.object.flatMap(value) }
      return values
    }
    let kinds = all(modules) { $0["kind"]?.string }
    dependencies = all(modules) { names($0["dependencies"], "name") }.filter { kinds[$0.key] != "system" }
    folders = all(modules) { $0["folder"]?.string }
    libraries = Set(kinds.filter { $0.value == "regular" }.keys)
    self.layers = layers.compactMap(\.string)
    self.products = all(products) { names($0["packages"], "") }
  }
}

/// The folders of modules: `Sources/LAYER/MODULE`.
enum ModuleFolders {
  /// The paths of the folders below Sources by the names of the modules.
  static let paths: [String: String] = {
    var paths: [String: String] = [:]
    for layer in children("Sources") {
      for module in children("Sources/\(layer)") { paths[module] = "Sources/\(layer)/\(module)" }
    }
    return paths
  }()

  /// The names of the modules below Sources.
  static let names = paths.keys.sorted()

  /// The files of a module, by their paths.
  static func sources(of module: String) throws -> [String: String] {
    guard let path = paths[module],
      let files = FileManager.default.enumerator(atPath: "\(VectorFile.root)/\(path)")
    else { throw VectorFileError("there is no folder of \(module)") }
    var sources: [String: String] = [:]
    for case let name as String in files where name.hasSuffix(".swift") {
      sources[name] = try String(contentsOfFile: "\(VectorFile.root)/\(path)/\(name)", encoding: .utf8)
    }
    return sources
  }

  private static func children(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(VectorFile.root)/\(folder)")) ?? []
  }
}
