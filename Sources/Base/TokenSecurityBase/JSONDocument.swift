/// A valid JSON text: its bytes and the ranges of its values.
///
/// Values are made on access, so that verifying a token costs only the claims that it checks.
@usableFromInline
package struct JSONDocument: Sendable, Hashable {
  /// The text.
  @usableFromInline package private(set) var bytes: [UInt8]
  @usableFromInline package private(set) var nodes: [JSONNode]

  /// Reads `bytes`.
  package init(_ bytes: consuming [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
    var reader = JSONReader(limits: limits)
    try reader.read(bytes.span)
    self.bytes = bytes
    nodes = reader.takeNodes()
  }

  /// The empty object.
  package init() {
    bytes = [UInt8(ascii: "{"), UInt8(ascii: "}")]
    var object = JSONNode(kind: .object, isEscaped: false, start: 0, end: 2)
    object.next = 1
    nodes = [object]
  }

  /// The memory of the text and its nodes, in bytes.
  package var memorySize: Int { bytes.capacity + nodes.capacity * MemoryLayout<JSONNode>.stride }

  /// A place in the document: the index of a value's node. The root value is 0.
  @usableFromInline package typealias Place = Int

  /// The kind of the value at `place`.
  @inlinable
  package func kind(at place: Place) -> JSONNode.Kind { nodes[place].kind }

  /// Calls `body` with the places of each member's name and value, in the order of the text.
  @inlinable
  @inline(__always)
  package func forEachMember<E: Error>(
    of object: Place, _ body: (_ name: Place, _ value: Place) throws(E) -> Void
  ) throws(E) {
    guard nodes[object].kind == .object else { return }
    let end = Int(nodes[object].next)
    var name = object + 1
    while name < end {
      try body(name, name + 1)
      name = Int(nodes[name + 1].next)
    }
  }

  /// The place of the member called `name` of the object at `object`, or nil.
  package func member(_ name: String, of object: Place = 0) -> Place? {
    member(name.utf8.span, of: object)
  }

  /// The place of the member whose name is the UTF-8 in `name`, or nil.
  package func member(_ name: borrowing Span<UInt8>, of object: Place) -> Place? {
    guard nodes[object].kind == .object else { return nil }
    return self.name(name, from: object + 1, to: end(of: object)).map { $0 + 1 }
  }

  /// The place of the name with the UTF-8 in `name` of the object at `object`, or nil. The search begins at
  /// the name at `start` and continues with those before it.
  package func name(_ name: borrowing Span<UInt8>, of object: Place, from start: Place) -> Place? {
    self.name(name, from: start, to: end(of: object)) ?? self.name(name, from: object + 1, to: start)
  }

  private func name(_ name: borrowing Span<UInt8>, from start: Place, to end: Place) -> Place? {
    var place = start
    while place < end {
      if isString(at: place, name) { return place }
      place = Int(nodes[place + 1].next)
    }
    return nil
  }

  /// The place after the value at `place` and everything inside it.
  package func end(of place: Place) -> Place { Int(nodes[place].next) }

  /// The places of an array's elements.
  package func elements(of array: Place) -> [Place] {
    guard nodes[array].kind == .array else { return [] }
    var places: [Place] = []
    var place = array + 1
    while place < Int(nodes[array].next) {
      places.append(place)
      place = Int(nodes[place].next)
    }
    return places
  }

  /// True if all elements of the array at `array` have one kind.
  package func allElements(of array: Place, are kind: JSONNode.Kind) -> Bool {
    var place = array + 1
    while place < Int(nodes[array].next) {
      guard nodes[place].kind == kind else { return false }
      place = Int(nodes[place].next)
    }
    return true
  }

  /// The length of the value at `place` in the text, in bytes, without quotes.
  @inlinable
  @inline(__always)
  package func length(at place: Place) -> Int {
    Int(nodes[place].end &- nodes[place].start)
  }

  /// Calls `body` with the text of the value at `place`, without quotes.
  @inlinable
  @inline(__always)
  package func withBytes<R: ~Copyable, E: Error>(
    at place: Place, _ body: (borrowing Span<UInt8>) throws(E) -> R
  ) throws(E) -> R {
    try body(bytes.span.extracting(Int(nodes[place].start)..<Int(nodes[place].end)))
  }

  /// Calls `wipe` with the text, to wipe it in place. The document is null afterwards.
  package mutating func wipe(_ wipe: (inout [UInt8]) -> Void) {
    wipe(&bytes)
    nodes = [JSONNode(kind: .null, isEscaped: false, start: 0, end: 0)]
  }

  /// True if the string at `place` contains a backslash.
  @inlinable
  package func isEscaped(at place: Place) -> Bool { nodes[place].isEscaped }

  /// True if the value at `place` is a string equal to `text`, byte for byte.
  package func isString(at place: Place, _ text: String) -> Bool {
    isString(at: place, text.utf8.span)
  }

  /// True if the value at `place` is a string with the UTF-8 in `text`.
  package func isString(at place: Place, _ text: borrowing Span<UInt8>) -> Bool {
    let node = nodes[place]
    guard node.kind == .string else { return false }
    guard !node.isEscaped else {
      let unescaped = JSONString.unescaped(node, bytes.span)
      return unescaped.count == text.count && ByteWords.areEqual(unescaped.span, from: 0, text)
    }
    guard text.count == Int(node.end &- node.start) else { return false }
    return ByteWords.areEqual(bytes.span, from: Int(node.start), text)
  }

  /// The string at `place`; nil for another value.
  package func string(at place: Place) -> String? {
    let node = nodes[place]
    guard node.kind == .string else { return nil }
    guard !node.isEscaped else {
      return String(decoding: JSONString.unescaped(node, bytes.span), as: UTF8.self)
    }
    return String(decoding: bytes[Int(node.start)..<Int(node.end)], as: UTF8.self)
  }

  /// The UTF-8 of the string at `place`, its escapes resolved; empty for another value. The array has room for
  /// it from the start, so that no part of a secret stays behind where it grew.
  package func unescaped(at place: Place) -> [UInt8] {
    nodes[place].kind == .string ? JSONString.unescaped(nodes[place], bytes.span) : []
  }

  /// The strings of the array of strings at `place`; nil for another value.
  func strings(at place: Place) -> [String]? {
    guard nodes[place].kind == .array, allElements(of: place, are: .string) else { return nil }
    // All elements are strings, so each is one node.
    return (place + 1..<end(of: place)).map { string(at: $0) ?? "" }
  }

  /// The number at `place`; nil for another value.
  package func number(at place: Place) -> JSONNumber? {
    let node = nodes[place]
    guard node.kind == .number else { return nil }
    return JSONNumber(
      verified: String(decoding: bytes[Int(node.start)..<Int(node.end)], as: UTF8.self))
  }

  /// The value at `place`, with everything inside it.
  package func value(at place: Place = 0) -> JSONValue {
    switch nodes[place].kind {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .number: return number(at: place).map(JSONValue.number) ?? .null
    case .string: return string(at: place).map(JSONValue.string) ?? .null
    case .array: return .array(elements(of: place).map { value(at: $0) })
    case .object: return .object(object(at: place))
    }
  }

  /// The object at `place`; empty for another value.
  package func object(at place: Place = 0) -> JSONObject {
    var members: [JSONObject.Member] = []
    forEachMember(of: place) { name, value in
      members.append(
        JSONObject.Member(name: string(at: name) ?? "", value: self.value(at: value)))
    }
    return JSONObject(distinct: members)
  }
}
