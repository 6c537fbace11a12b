/// References between the folders of a module, read from its sources: each place that names a type of another
/// folder.
///
/// Names are looked up as the compiler does it: in the types around a place, from the innermost to the
/// outermost, then in the module. A type that an extension declares is in the extension's folder. Members
/// that are used without the name of their type are not seen.
struct FolderGraph {
  /// For each folder the folders that it refers to, with one place.
  private var edges: [String: [String: String]] = [:]

  /// - Parameter sources: the files' contents by their paths; files outside of folders count as one folder.
  init(_ sources: [String: String]) {
    let files = sources.sorted { $0.key < $1.key }
      .map { (path: $0.key, folder: Self.folder($0.key), names: TypeNames($0.value).names) }
    var declared: [String: Set<String>] = [:]
    for file in files {
      for name in file.names where name.isDeclaration {
        declared[name.context + name.path.joined(separator: "."), default: []].insert(file.folder)
      }
    }
    for file in files {
      for name in file.names {
        for folder in Self.folders(of: name, declared, from: file.folder) {
          edges[file.folder, default: [:]][folder, default: ""] =
            edges[file.folder]?[folder] ?? "\(file.path): \(name.path.joined(separator: "."))"
        }
      }
    }
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

  private static func folder(_ path: String) -> String {
    path.contains("/") ? String(path.prefix { $0 != "/" }) : "."
  }

  /// The other folders that a name refers to: those of each part that the module declares.
  private static func folders(
    of name: TypeNames.Name, _ declared: [String: Set<String>], from own: String
  ) -> Set<String> {
    var contexts = [""]
    for part in name.context.split(separator: ".") {
      contexts.append("\(contexts[contexts.count - 1])\(part).")
    }
    guard var prefix = contexts.last(where: { declared[$0 + name.path[0]] != nil }) else { return [] }
    var folders: Set<String> = []
    for part in name.path {
      guard let found = declared[prefix + part] else { break }
      // Private types of several files may have one name: then the own one is meant.
      if !found.contains(own) { folders.formUnion(found) }
      prefix += "\(part)."
    }
    return folders
  }
}

/// The names of types in a Swift file, each with the types around it. Comments and literals are left out.
struct TypeNames {
  struct Name {
    /// The types around it, each with a dot after its name.
    let context: String
    /// The name as it is written: `A.B` has two parts.
    let path: [String]
    /// True where the type is declared here.
    let isDeclaration: Bool
  }

  private(set) var names: [Name] = []

  init(_ source: String) {
    let tokens = Self.tokens(source)
    // The name of each type around the present place, and the depth of its braces.
    var around: [(name: String, depth: Int)] = []
    var depth = 0
    // The type whose braces open next.
    var opening: String?
    var index = 0
    while index < tokens.count {
      let token = tokens[index]
      let before = index > 0 ? tokens[index - 1] : ""
      index += 1
      if token == "{" {
        depth += 1
        if let name = opening { around.append((name, depth)) }
        opening = nil
      } else if token == "}" {
        if around.last?.depth == depth { around.removeLast() }
        depth -= 1
      } else if Self.isTypeName(token), before != "." {
        var path = [token]
        while index + 1 < tokens.count, tokens[index] == ".", Self.isTypeName(tokens[index + 1]) {
          path.append(tokens[index + 1])
          index += 2
        }
        let hasBraces = ["struct", "class", "enum", "actor", "protocol"].contains(before)
        names.append(
          Name(
            context: around.map { "\($0.name)." }.joined(), path: path,
            isDeclaration: hasBraces || ["typealias", "associatedtype"].contains(before)))
        if hasBraces || before == "extension" { opening = path.joined(separator: ".") }
      }
    }
  }

  private static func isTypeName(_ token: String) -> Bool { token.first?.isUppercase == true }

  /// Words, braces and dots.
  private static func tokens(_ source: String) -> [String] {
    source
      .replacing(/(?s)"""(?:[^\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*.*?\*\//, with: " ")
      .matches(of: /[A-Za-z_][A-Za-z0-9_]*|[{}.]/).map { String($0.output) }
  }
}
