/// A strict reader of JSON (RFC 8259): no duplicate names, no byte order mark, no lone surrogates, bounded
/// size and depth.
///
/// One pass over the bytes checks everything and makes a flat list of nodes. Strings and numbers become Swift
/// values on access.
struct JSONReader {
  private let limits: JSONLimits
  private var nodes: [JSONNode] = []

  /// From this number of members on, names are compared with a set instead of one by one.
  private static let manyMembers = 24

  init(limits: JSONLimits) {
    self.limits = limits
  }

  /// Reads a whole text.
  mutating func read(_ bytes: borrowing Span<UInt8>) throws(JSONError) {
    guard bytes.count <= limits.size else {
      throw .tooLarge(size: bytes.count, limit: limits.size)
    }
    if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      throw .byteOrderMark
    }
    // A token's claims have a node for about every twelve bytes.
    nodes.reserveCapacity(bytes.count / 10 + 4)
    let start = Self.afterWhiteSpace(bytes, at: 0)
    guard start < bytes.count else { throw .empty }
    let end = Self.afterWhiteSpace(bytes, at: try value(bytes, at: start, depth: 0))
    guard end == bytes.count else { throw .trailingData(offset: end) }
  }

  /// Moves the nodes out, without counting a reference.
  mutating func takeNodes() -> [JSONNode] {
    var taken: [JSONNode] = []
    swap(&taken, &nodes)
    return taken
  }

  // Each function below reads from a position and returns the one after what it read. A position kept in this
  // struct would be stored and loaded again for each character.

  @inline(__always)
  private mutating func value(
    _ bytes: borrowing Span<UInt8>, at position: Int, depth: Int
  ) throws(JSONError) -> Int {
    guard position < bytes.count else {
      throw .syntax(offset: position, expected: .value)
    }
    return switch bytes[position] {
    case UInt8(ascii: "\""): try string(bytes, at: position)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(bytes, at: position)
    case UInt8(ascii: "{"): try object(bytes, at: position, depth: depth + 1)
    case UInt8(ascii: "["): try array(bytes, at: position, depth: depth + 1)
    case UInt8(ascii: "t"): try literal(bytes, at: position, "true", .true)
    case UInt8(ascii: "f"): try literal(bytes, at: position, "false", .false)
    case UInt8(ascii: "n"): try literal(bytes, at: position, "null", .null)
    default: throw .syntax(offset: position, expected: .value)
    }
  }

  private mutating func object(
    _ bytes: borrowing Span<UInt8>, at start: Int, depth: Int
  ) throws(JSONError) -> Int {
    guard depth <= limits.depth else { throw .nesting(limit: limits.depth, offset: start) }
    let index = open(.object, at: start)
    var members = 0
    var seen: UInt64 = 0
    var position = Self.afterWhiteSpace(bytes, at: start &+ 1)
    if position < bytes.count, bytes[position] == UInt8(ascii: "}") { return close(index, at: position) }
    while true {
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw .syntax(offset: position, expected: .name)
      }
      let name = nodes.count
      position = try string(bytes, at: position)
      members &+= 1
      if members <= Self.manyMembers {
        // A name whose bit is not set yet is new. Most objects need no comparison.
        let bit = JSONString.bit(nodes[name], bytes)
        if seen & bit != 0 { try refuseDuplicate(of: name, in: index, bytes) }
        seen |= bit
      }
      position = Self.afterWhiteSpace(bytes, at: position)
      guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
        throw .syntax(offset: position, expected: .colon)
      }
      position = Self.afterWhiteSpace(bytes, at: position &+ 1)
      position = Self.afterWhiteSpace(bytes, at: try value(bytes, at: position, depth: depth))
      guard position < bytes.count else {
        throw .syntax(offset: position, expected: .commaOrBrace)
      }
      switch bytes[position] {
      case UInt8(ascii: ","): position = Self.afterWhiteSpace(bytes, at: position &+ 1)
      case UInt8(ascii: "}"):
        let end = close(index, at: position)
        if members > Self.manyMembers { try refuseDuplicates(in: index, bytes) }
        return end
      default: throw .syntax(offset: position, expected: .commaOrBrace)
      }
    }
  }

  private mutating func array(
    _ bytes: borrowing Span<UInt8>, at start: Int, depth: Int
  ) throws(JSONError) -> Int {
    guard depth <= limits.depth else { throw .nesting(limit: limits.depth, offset: start) }
    let index = open(.array, at: start)
    var position = Self.afterWhiteSpace(bytes, at: start &+ 1)
    if position < bytes.count, bytes[position] == UInt8(ascii: "]") { return close(index, at: position) }
    while true {
      position = Self.afterWhiteSpace(bytes, at: try value(bytes, at: position, depth: depth))
      guard position < bytes.count else {
        throw .syntax(offset: position, expected: .commaOrBracket)
      }
      switch bytes[position] {
      case UInt8(ascii: ","): position = Self.afterWhiteSpace(bytes, at: position &+ 1)
      case UInt8(ascii: "]"): return close(index, at: position)
      default: throw .syntax(offset: position, expected: .commaOrBracket)
      }
    }
  }

  private mutating func literal(
    _ bytes: borrowing Span<UInt8>, at start: Int, _ word: String, _ kind: JSONNode.Kind
  ) throws(JSONError) -> Int {
    guard ByteSearch.has(word, bytes, at: start) else { throw .syntax(offset: start, expected: .value) }
    return append(kind, from: start, to: start &+ word.utf8.count)
  }

  private mutating func number(
    _ bytes: borrowing Span<UInt8>, at start: Int
  ) throws(JSONError) -> Int {
    var position = start
    if bytes[position] == UInt8(ascii: "-") { position &+= 1 }
    let first = position
    position = try Self.afterDigits(bytes, at: first)
    // A number does not begin with zero, except zero itself.
    if bytes[first] == UInt8(ascii: "0") { position = first &+ 1 }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position = try Self.afterDigits(bytes, at: position &+ 1)
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position &+= 1
      if position < bytes.count,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position &+= 1
      }
      position = try Self.afterDigits(bytes, at: position)
    }
    return append(.number, from: start, to: position)
  }

  /// The position after the digits at `start`, at least one.
  @inline(__always)
  private static func afterDigits(
    _ bytes: borrowing Span<UInt8>, at start: Int
  ) throws(JSONError) -> Int {
    var position = start
    while position < bytes.count, bytes[position].isDigit { position &+= 1 }
    guard position > start else { throw .syntax(offset: position, expected: .digit) }
    return position
  }

  @inline(__always)
  private mutating func string(
    _ bytes: borrowing Span<UInt8>, at quote: Int
  ) throws(JSONError) -> Int {
    var isEscaped = false
    let start = quote &+ 1
    let end = try JSONString.end(of: bytes, from: start, isEscaped: &isEscaped)
    return append(.string, isEscaped: isEscaped, from: start, to: end) &+ 1
  }

  @inline(__always)
  private static func afterWhiteSpace(_ bytes: borrowing Span<UInt8>, at start: Int) -> Int {
    var position = start
    while position < bytes.count, bytes[position] <= 0x20 {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position &+= 1
      default: return position
      }
    }
    return position
  }

  /// Adds the node of an array or object that begins at `position`, and returns its index.
  private mutating func open(_ kind: JSONNode.Kind, at position: Int) -> Int {
    nodes.append(JSONNode(kind: kind, isEscaped: false, start: position, end: position))
    return nodes.count - 1
  }

  /// Completes the node at `index`, whose last byte is at `position`.
  private mutating func close(_ index: Int, at position: Int) -> Int {
    nodes[index].end = UInt32(truncatingIfNeeded: position &+ 1)
    nodes[index].next = UInt32(truncatingIfNeeded: nodes.count)
    return position &+ 1
  }

  /// Adds the node of a value without parts, and returns `end`.
  @inline(__always)
  private mutating func append(
    _ kind: JSONNode.Kind, isEscaped: Bool = false, from start: Int, to end: Int
  ) -> Int {
    var node = JSONNode(kind: kind, isEscaped: isEscaped, start: start, end: end)
    node.next = UInt32(truncatingIfNeeded: nodes.count &+ 1)
    nodes.append(node)
    return end
  }

  private func refuseDuplicate(
    of name: Int, in object: Int, _ bytes: borrowing Span<UInt8>
  ) throws(JSONError) {
    let found = nodes[name]
    var index = object + 1
    while index < name {
      if JSONString.equal(nodes[index], found, bytes) { throw duplicate(found, bytes) }
      index = Int(nodes[index + 1].next)
    }
  }

  // Swift's hashing is seeded per process, so texts cannot cause collisions.
  private func refuseDuplicates(in object: Int, _ bytes: borrowing Span<UInt8>) throws(JSONError) {
    var seen: Set<[UInt8]> = []
    var index = object + 1
    while index < Int(nodes[object].next) {
      guard seen.insert(JSONString.unescaped(nodes[index], bytes)).inserted else {
        throw duplicate(nodes[index], bytes)
      }
      index = Int(nodes[index + 1].next)
    }
  }

  private func duplicate(_ node: JSONNode, _ bytes: borrowing Span<UInt8>) -> JSONError {
    .duplicateName(
      String(decoding: JSONString.unescaped(node, bytes), as: UTF8.self),
      offset: Int(node.start) - 1)
  }
}

extension UInt8 {
  /// True for `0` to `9`.
  var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}
