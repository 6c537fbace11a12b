internal import Foundation
internal import TokenSecurityEncodings
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Package.swift, which is the one list of modules and of what they depend on.
struct Manifest: Sendable {
  /// The modules below Sources and what they depend on: modules of this package and products of others.
  let dependencies: [String: Set<String>]

  static let ofThisPackage = Task {
    // In a folder of its own: the build of these tests may have locked the other one.
    let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let result = try await Program.run(
      ["swift", "package", "--scratch-path", scratch, "dump-package"], in: VectorFile.root)
    return try Manifest(JSONValue(parsing: result.text, limits: JSONLimits(size: 16 << 20)))
  }

  init(_ package: JSONValue) throws {
    guard let targets = package.object?["targets"]?.array else {
      throw VectorFileError("the package has no targets")
    }
    var all: [String: Set<String>] = [:]
    for target in targets {
      guard let target = target.object, let name = target["name"]?.string else { continue }
      let path = target["path"]?.string ?? "Sources/\(name)"
      let isCode = ["regular", "executable"].contains(target["type"]?.string)
      guard isCode, path.hasPrefix("Sources/"), !name.hasPrefix("NeedsTrait") else { continue }
      let names = (target["dependencies"]?.array ?? []).compactMap { dependency in
        // `{"byName": [NAME, CONDITION]}`, `{"product": [NAME, PACKAGE, …]}`
        dependency.object?.members.first?.value.array?.first?.string
      }
      all[name] = Set(names.filter { !$0.hasPrefix("NeedsTrait") })
    }
    dependencies = all
  }
}

/// The folders of modules.
enum ModuleFolders {
  /// The names of the modules below Sources.
  static let names =
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(VectorFile.root)/Sources")) ?? []).sorted()

  /// The files of a module, by their paths.
  static func sources(of module: String) throws -> [String: String] {
    let folder = "\(VectorFile.root)/Sources/\(module)"
    guard let files = FileManager.default.enumerator(atPath: folder) else {
      throw VectorFileError("there is no folder \(folder)")
    }
    var sources: [String: String] = [:]
    for case let name as String in files where name.hasSuffix(".swift") {
      sources[name] = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }
    return sources
  }
}
