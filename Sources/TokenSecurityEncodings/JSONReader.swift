/// A strict reader of JSON (RFC 8259): no duplicate names, no byte order mark, no lone surrogates, bounded
/// size and depth.
///
/// One pass over the bytes checks everything and makes a flat list of nodes. Strings and numbers become Swift
/// values on access.
struct JSONReader {
  private let limits: JSONLimits
  private var position = 0
  private(set) var nodes: [JSONNode] = []

  /// From this number of members on, names are compared with a set instead of one by one.
  private static let manyMembers = 24

  private static let `true` = Array("true".utf8)
  private static let `false` = Array("false".utf8)
  private static let null = Array("null".utf8)

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
    skipWhiteSpace(bytes)
    guard position < bytes.count else { throw .empty }
    try value(bytes, depth: 0)
    skipWhiteSpace(bytes)
    guard position == bytes.count else { throw .trailingData(offset: position) }
  }

  private mutating func value(_ bytes: borrowing Span<UInt8>, depth: Int) throws(JSONError) {
    guard position < bytes.count else {
      throw .syntax(offset: position, expected: .value)
    }
    switch bytes[position] {
    case UInt8(ascii: "\""): try string(bytes)
    case UInt8(ascii: "{"): try object(bytes, depth: depth + 1)
    case UInt8(ascii: "["): try array(bytes, depth: depth + 1)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(bytes)
    case UInt8(ascii: "t"): try literal(bytes, Self.true, .true)
    case UInt8(ascii: "f"): try literal(bytes, Self.false, .false)
    case UInt8(ascii: "n"): try literal(bytes, Self.null, .null)
    default: throw .syntax(offset: position, expected: .value)
    }
  }

  private mutating func object(_ bytes: borrowing Span<UInt8>, depth: Int) throws(JSONError) {
    guard depth <= limits.depth else { throw .nesting(limit: limits.depth) }
    let index = open(.object)
    var members = 0
    var seen: UInt64 = 0
    skipWhiteSpace(bytes)
    if position < bytes.count, bytes[position] == UInt8(ascii: "}") {
      close(index)
      return
    }
    while true {
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw .syntax(offset: position, expected: .name)
      }
      let name = nodes.count
      try string(bytes)
      members += 1
      if members <= Self.manyMembers {
        // A name whose bit is not set yet is new. Most objects need no comparison.
        let bit = JSONString.bit(nodes[name], bytes)
        if seen & bit != 0 { try refuseDuplicate(of: name, in: index, bytes) }
        seen |= bit
      }
      skipWhiteSpace(bytes)
      guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
        throw .syntax(offset: position, expected: .colon)
      }
      position += 1
      skipWhiteSpace(bytes)
      try value(bytes, depth: depth)
      skipWhiteSpace(bytes)
      guard position < bytes.count else {
        throw .syntax(offset: position, expected: .commaOrBrace)
      }
      switch bytes[position] {
      case UInt8(ascii: ","):
        position += 1
        skipWhiteSpace(bytes)
      case UInt8(ascii: "}"):
        close(index)
        if members > Self.manyMembers { try refuseDuplicates(in: index, bytes) }
        return
      default: throw .syntax(offset: position, expected: .commaOrBrace)
      }
    }
  }

  private mutating func array(_ bytes: borrowing Span<UInt8>, depth: Int) throws(JSONError) {
    guard depth <= limits.depth else { throw .nesting(limit: limits.depth) }
    let index = open(.array)
    skipWhiteSpace(bytes)
    if position < bytes.count, bytes[position] == UInt8(ascii: "]") {
      close(index)
      return
    }
    while true {
      try value(bytes, depth: depth)
      skipWhiteSpace(bytes)
      guard position < bytes.count else {
        throw .syntax(offset: position, expected: .commaOrBracket)
      }
      switch bytes[position] {
      case UInt8(ascii: ","):
        position += 1
        skipWhiteSpace(bytes)
      case UInt8(ascii: "]"):
        close(index)
        return
      default: throw .syntax(offset: position, expected: .commaOrBracket)
      }
    }
  }

  private mutating func literal(
    _ bytes: borrowing Span<UInt8>, _ word: [UInt8], _ kind: JSONNode.Kind
  ) throws(JSONError) {
    let start = position
    guard bytes.count - start >= word.count else {
      throw .syntax(offset: start, expected: .value)
    }
    for byte in word {
      guard bytes[position] == byte else { throw .syntax(offset: start, expected: .value) }
      position += 1
    }
    append(JSONNode(kind: kind, isEscaped: false, start: start, end: position))
  }

  private mutating func number(_ bytes: borrowing Span<UInt8>) throws(JSONError) {
    let start = position
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    guard position < bytes.count, bytes[position].isDigit else {
      throw .syntax(offset: position, expected: .digit)
    }
    if bytes[position] == UInt8(ascii: "0") {
      position += 1
    } else {
      skipDigits(bytes)
    }
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      try atLeastOneDigit(bytes)
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < bytes.count,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      try atLeastOneDigit(bytes)
    }
    append(JSONNode(kind: .number, isEscaped: false, start: start, end: position))
  }

  private mutating func atLeastOneDigit(_ bytes: borrowing Span<UInt8>) throws(JSONError) {
    guard position < bytes.count, bytes[position].isDigit else {
      throw .syntax(offset: position, expected: .digit)
    }
    skipDigits(bytes)
  }

  private mutating func skipDigits(_ bytes: borrowing Span<UInt8>) {
    while position < bytes.count, bytes[position].isDigit { position += 1 }
  }

  private mutating func string(_ bytes: borrowing Span<UInt8>) throws(JSONError) {
    var isEscaped = false
    let start = position + 1
    let end = try JSONString.end(of: bytes, from: start, isEscaped: &isEscaped)
    position = end + 1
    append(JSONNode(kind: .string, isEscaped: isEscaped, start: start, end: end))
  }

  @inline(__always)
  private mutating func skipWhiteSpace(_ bytes: borrowing Span<UInt8>) {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private mutating func open(_ kind: JSONNode.Kind) -> Int {
    nodes.append(JSONNode(kind: kind, isEscaped: false, start: position, end: position))
    position += 1
    return nodes.count - 1
  }

  private mutating func close(_ index: Int) {
    position += 1
    nodes[index].end = UInt32(truncatingIfNeeded: position)
    nodes[index].next = UInt32(truncatingIfNeeded: nodes.count)
  }

  private mutating func append(_ node: JSONNode) {
    var node = node
    node.next = UInt32(truncatingIfNeeded: nodes.count + 1)
    nodes.append(node)
  }

  private func refuseDuplicate(
    of name: Int, in object: Int, _ bytes: borrowing Span<UInt8>
  ) throws(JSONError) {
    var index = object + 1
    while index < name {
      if JSONString.equal(nodes[index], nodes[name], bytes) {
        throw duplicate(nodes[name], bytes)
      }
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
