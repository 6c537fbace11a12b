internal import TokenSecurityBase

/// Texts by dotted names, as forms have them: `Tags.member.1.Key`. Beside them the labels of a path, the
/// parameters of a query and header fields.
struct FieldTree: Sendable {
  private struct Node {
    let name: String
    var value: String?
    var children: [Int] = []
  }

  private var nodes: [Node] = []

  // The first nodes are these four.
  static let form = 0
  static let labels = 1
  static let parameters = 2
  static let headers = 3

  /// Maximum number of fields in a form or query.
  static let limit = 100
  private static let deepest = 8

  private mutating func prepare() {
    if nodes.isEmpty { nodes = (0..<4).map { _ in Node(name: "") } }
  }

  /// Adds a value. Returns false where there is one of this name.
  mutating func insert(_ name: String, _ value: String, into parent: Int) -> Bool {
    prepare()
    guard child(name, of: parent) == nil else { return false }
    append(Node(name: name, value: value), to: parent)
    return true
  }

  /// The rule that a field of a name that is there already breaks.
  static let duplicated = "a field is duplicated"

  /// Adds a field of a form.
  ///
  /// - Throws: `serialization` where there is one of this name, or where it is nested too deeply.
  mutating func insert(path: String, _ value: String) throws(OperationError) {
    let names = path.parts(at: ".")
    guard names.count <= Self.deepest else {
      throw .serialization(rule: "the name of a field has more than \(Self.deepest) parts")
    }
    guard insert(names, value) else { throw .serialization(rule: Self.duplicated) }
  }

  /// Adds a text below these names. Returns false where there is one, or where a text is above it.
  mutating func insert(_ names: [String], _ value: String) -> Bool {
    prepare()
    var index = Self.form
    for name in names {
      // A field is a text or has fields inside, not both.
      guard nodes[index].value == nil else { return false }
      if let child = child(name, of: index) {
        index = child
      } else {
        append(Node(name: name), to: index)
        index = nodes.count - 1
      }
    }
    guard nodes[index].value == nil, nodes[index].children.isEmpty else { return false }
    nodes[index].value = value
    return true
  }

  private mutating func append(_ node: Node, to parent: Int) {
    nodes.append(node)
    nodes[parent].children.append(nodes.count - 1)
  }

  func child(_ name: String, of parent: Int) -> Int? {
    guard nodes.indices.contains(parent) else { return nil }
    return nodes[parent].children.first { nodes[$0].name == name }
  }

  func children(of parent: Int) -> [Int] { nodes.indices.contains(parent) ? nodes[parent].children : [] }
  func name(_ index: Int) -> String { nodes[index].name }
  func value(_ index: Int) -> String? { nodes.indices.contains(index) ? nodes[index].value : nil }

  /// True for a structure, list or map: a node that has no text. An empty text is one without members.
  func isContainer(_ index: Int) -> Bool { value(index)?.isEmpty != false }

  /// The elements of a list, `member.1`, `member.2`, in the order of their numbers; nil for a text.
  func elements(of index: Int) -> [Int]? {
    guard isContainer(index) else { return nil }
    return numbered(children(of: child("member", of: index) ?? index))
  }

  /// The entries of a map, `entry.1.key`, `entry.1.value`, in the order of their numbers; nil for a text.
  func entries(of index: Int) -> [(key: String, value: Int)]? {
    guard isContainer(index) else { return nil }
    return numbered(children(of: child("entry", of: index) ?? index)).compactMap { entry in
      guard let key = child("key", of: entry).flatMap({ nodes[$0].value }),
        let value = child("value", of: entry)
      else { return nil }
      return (key, value)
    }
  }

  private func numbered(_ indices: [Int]) -> [Int] {
    indices.compactMap { index in Int(nodes[index].name).map { (number: $0, index: index) } }
      .sorted { $0.number < $1.number }.map(\.index)
  }
}

extension FieldTree {
  /// Reads a body of type `application/x-www-form-urlencoded`, or a query: at most 100 fields.
  ///
  /// - Throws: `serialization` for bad escapes, fields without a name, and more fields.
  static func fields(
    _ text: borrowing Span<UInt8>
  ) throws(OperationError) -> [(name: String, value: String)] {
    var all: [(String, String)] = []
    var start = 0
    while start < text.count {
      let end = ByteSearch.firstIndex(of: UInt8(ascii: "&"), in: text, from: start) ?? text.count
      guard all.count < limit else { throw .serialization(rule: "there are more than \(limit) fields") }
      var equals = start
      while equals < end, text[equals] != UInt8(ascii: "=") { equals += 1 }
      guard start < equals else { throw .serialization(rule: "a field has no name") }
      guard let name = decode(text.extracting(start..<equals), plusIsSpace: true),
        let value = decode(text.extracting(min(equals + 1, end)..<end), plusIsSpace: true)
      else { throw .serialization(rule: "a field is not properly percent-encoded") }
      all.append((name, value))
      start = end + 1
    }
    return all
  }

  /// Decodes percent-encoding once; nil for bad escapes and for what is not UTF-8.
  static func decode(_ text: borrowing Span<UInt8>, plusIsSpace: Bool) -> String? {
    guard PercentEncoding.firstMalformed(text) == nil else { return nil }
    var bytes: [UInt8] = []
    bytes.append(copying: text)
    if plusIsSpace {
      for index in bytes.indices where bytes[index] == UInt8(ascii: "+") { bytes[index] = UInt8(ascii: " ") }
    }
    return String(validating: PercentEncoding.decode(bytes.span), as: UTF8.self)
  }
}
