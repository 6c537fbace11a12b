/// References between folders: each use of a declaration of another folder, also of members without the name of their type.
struct FolderGraph {
  /// For each folder the folders that it refers to, with one place.
  private var edges: [String: [String: String]] = [:]

  /// The graph of the folders within the folder with the path `prefix`, which ends with a slash; files outside of folders
  /// count as one folder.
  init(_ index: CompilerIndex, below prefix: String) {
    for reference in index.references where reference.file.hasPrefix(prefix) {
      guard let definition = index.definitions[reference.usr], definition.hasPrefix(prefix) else { continue }
      let from = Self.folder(reference.file.dropFirst(prefix.count))
      let to = Self.folder(definition.dropFirst(prefix.count))
      if from != to { add(from, to, "\(reference.file):\(reference.line): \(reference.name)") }
    }
  }

  /// A graph of such edges, each with its place.
  init(_ edges: [(from: String, to: String, place: String)]) {
    for edge in edges { add(edge.from, edge.to, edge.place) }
  }

  private mutating func add(_ from: String, _ to: String, _ place: String) {
    // The first place by name: the order of an index is that of hashes.
    let known = edges[from]?[to]
    edges[from, default: [:]][to] = known.map { min($0, place) } ?? place
  }

  /// The references between folders that reach one another.
  var edgesInCycles: [String] {
    edges.flatMap { from, targets in
      targets.filter { reachable(from: $0.key).contains(from) }.map { "\(from) → \($0.key) (\($0.value))" }
    }.sorted()
  }

  private func reachable(from start: String) -> Set<String> {
    var found: Set<String> = []
    var open = [start]
    while let folder = open.popLast() {
      for next in (edges[folder] ?? [:]).keys where found.insert(next).inserted { open.append(next) }
    }
    return found
  }

  private static func folder(_ path: Substring) -> String {
    path.contains("/") ? String(path.prefix { $0 != "/" }) : "."
  }
}
