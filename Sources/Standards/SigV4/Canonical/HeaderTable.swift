internal import TokenSecurityBase

/// A request's headers, sorted by their lower-case names; headers of one name in their order in the request.
struct HeaderTable: Sendable {
  struct Entry: Sendable {
    /// The range of the name in ``HeaderTable/names``.
    let name: Range<Int>
    /// The index of the header in the request.
    let field: Int
    /// The first eight bytes of the name, the first one highest: they order most names.
    let beginning: UInt64
    /// Whether the previous entry has the same name.
    fileprivate(set) var isRepeated = false
    /// Whether a request's signature covers the header; set for the first entry of a name.
    fileprivate(set) var isSigned = false
  }

  let names: [UInt8]
  private(set) var entries: [Entry]

  init(_ headers: [HeaderField]) {
    var names: [UInt8] = []
    var entries: [Entry] = []
    let fields = headers.span
    var size = 0
    for index in fields.indices { size += fields[index].name.utf8.count }
    entries.append(addingCapacity: fields.count) { entries in
      // Appending a name in words of eight bytes needs room for eight bytes more.
      names.append(addingCapacity: size + 8) { names in
        for index in fields.indices {
          let start = names.count
          let name = fields[index].name.utf8.span
          let beginning = ASCIIWords.append(lowerCase: name, to: &names)
          entries.append(Entry(name: start..<names.count, field: index, beginning: beginning))
        }
      }
    }
    // For few headers, nearly in order, insertion sort is faster.
    if entries.count <= 24 {
      Self.insertionSort(&entries, names.span)
    } else {
      entries.sort { Self.isBefore($0, $1, names.span) }
    }
    Self.markRepeated(&entries, names.span)
    self.names = names
    self.entries = entries
  }

  private static func insertionSort(_ entries: inout [Entry], _ names: borrowing Span<UInt8>) {
    var entries = entries.mutableSpan
    var index = 1
    while index < entries.count {
      let entry = entries[index]
      var position = index
      while position > 0, isBefore(entry, entries[position - 1], names) {
        entries[position] = entries[position - 1]
        position -= 1
      }
      entries[position] = entry
      index += 1
    }
  }

  @inline(__always)
  private static func isBefore(_ a: Entry, _ b: Entry, _ names: borrowing Span<UInt8>) -> Bool {
    guard a.beginning == b.beginning else { return a.beginning < b.beginning }
    let order = ByteOrder.compare(names, a.name, names, b.name)
    return order != 0 ? order < 0 : a.field < b.field
  }

  private static func markRepeated(_ entries: inout [Entry], _ names: borrowing Span<UInt8>) {
    var entries = entries.mutableSpan
    var index = 1
    while index < entries.count {
      let (entry, previous) = (entries[index], entries[index - 1])
      if entry.beginning == previous.beginning, entry.name.count == previous.name.count {
        entries[index].isRepeated = ByteWords.areEqual(
          names, from: entry.name.lowerBound, names.extracting(previous.name))
      }
      index += 1
    }
  }

  /// The end of the entries that have the name of the entry at `index`.
  @inline(__always)
  func endOfName(at index: Int) -> Int {
    let entries = entries.span
    var end = index + 1
    while end < entries.count, entries[end].isRepeated { end += 1 }
    return end
  }

  /// Finds the name at `start` in a list of names with semicolons, and marks its entry as signed. Callers
  /// pass the list's names in their order, and `next` is the position in the table.
  mutating func markSigned(
    _ list: borrowing Span<UInt8>, from start: Int, at next: inout Int
  ) -> (name: Range<Int>, isFound: Bool) {
    var found: Range<Int>?
    while next < entries.count {
      let entry = entries[next].name
      let end = start + entry.count
      // Usually the list has the name of the entry, and the end of the name need not be searched.
      if end <= list.count, end == list.count || list[end] == UInt8(ascii: ";"),
        ByteWords.areEqual(list, from: start, names.span.extracting(entry))
      {
        entries[next].isSigned = true
        next = endOfName(at: next)
        return (start..<end, true)
      }
      let name = found ?? Self.firstName(list, from: start)
      found = name
      guard ByteOrder.compare(names.span, entry, list, name) < 0 else { return (name, false) }
      next = endOfName(at: next)
    }
    return (found ?? Self.firstName(list, from: start), false)
  }

  private static func firstName(_ list: borrowing Span<UInt8>, from start: Int) -> Range<Int> {
    start..<(ByteSearch.firstIndex(of: UInt8(ascii: ";"), in: list, from: start) ?? list.count)
  }

  /// Whether the name of the entry is `name`, which must be in lower case.
  @inline(__always)
  func hasName(_ entry: Entry, _ name: StaticString) -> Bool {
    guard entry.name.count == name.utf8CodeUnitCount else { return false }
    return hasPrefix(entry, name)
  }

  @inline(__always)
  func hasPrefix(_ entry: Entry, _ prefix: StaticString) -> Bool {
    precondition(prefix.hasPointerRepresentation && prefix.utf8CodeUnitCount > 0)
    // The first byte decides for most names. Safe: the precondition, which string literals fulfil unless they
    // are empty, says that there is a first byte, and literals live as long as the program.
    guard entry.name.count >= prefix.utf8CodeUnitCount,
      unsafe UInt8(truncatingIfNeeded: entry.beginning >> 56) == prefix.utf8Start.pointee
    else { return false }
    let start = entry.name.lowerBound
    return ByteOrder.isEqual(names.span.extracting(start..<start + prefix.utf8CodeUnitCount), prefix)
  }

  func text(_ entry: Entry) -> String { String(decoding: names[entry.name], as: UTF8.self) }

  /// Whether a signature must not cover the header: proxies rewrite it, it belongs to one connection, or it
  /// contains the signature.
  func mustNotBeSigned(_ entry: Entry) -> Bool {
    switch entry.name.count {
    case 2: hasName(entry, "te")
    case 3: hasName(entry, "via")
    case 6: hasName(entry, "expect")
    case 7: hasName(entry, "trailer") || hasName(entry, "upgrade") || hasName(entry, "baggage")
    case 9: hasName(entry, "forwarded")
    case 10:
      hasName(entry, "connection") || hasName(entry, "keep-alive") || hasName(entry, "user-agent")
        || hasName(entry, "tracestate")
    case 11: hasName(entry, "traceparent")
    case 12: hasName(entry, "max-forwards")
    case 13: hasName(entry, "authorization")
    case 15:
      hasName(entry, "accept-encoding") || hasName(entry, "x-amzn-trace-id")
        || hasName(entry, "x-forwarded-for")
    case 16:
      hasName(entry, "proxy-connection") || hasName(entry, "x-forwarded-host")
        || hasName(entry, "x-forwarded-port")
    case 17: hasName(entry, "transfer-encoding") || hasName(entry, "x-forwarded-proto")
    case 18: hasName(entry, "proxy-authenticate")
    case 19: hasName(entry, "proxy-authorization")
    default: false
    }
  }
}
