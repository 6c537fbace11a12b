internal import Encodings

/// A request's headers by their names in lower case, sorted; those of one name in the order in which they came.
struct HeaderTable: Sendable {
  struct Entry: Sendable {
    /// Where the name lies among the names in lower case.
    let name: Range<Int>
    /// Which of the request's headers it is.
    let field: Int
  }

  let names: [UInt8]
  let entries: [Entry]

  init(_ headers: [HeaderField]) {
    // Through a span, which copies no header on the way.
    let fields = headers.span
    var size = 0
    for index in fields.indices { size += fields[index].name.utf8.count }
    var entries: [Entry] = []
    entries.reserveCapacity(fields.count)
    let names = unsafe [UInt8](unsafeUninitializedCapacity: size) { output, count in
      for index in 0..<headers.count {
        let name = headers.span[index].name.utf8.span
        let start = count
        for place in name.indices {
          unsafe output[count] = name[place].lowercased
          count += 1
        }
        entries.append(Entry(name: start..<count, field: index))
      }
    }
    // Few headers, nearly in order: inserting is quicker than what sorts many.
    if entries.count <= 24 {
      Self.insertionSort(&entries, names.span)
    } else {
      entries.sort { Self.isBefore($0, $1, names.span) }
    }
    self.names = names
    self.entries = entries
  }

  private static func insertionSort(_ entries: inout [Entry], _ names: borrowing Span<UInt8>) {
    var index = 1
    while index < entries.count {
      let entry = entries[index]
      var place = index
      while place > 0, isBefore(entry, entries[place - 1], names) {
        entries[place] = entries[place - 1]
        place -= 1
      }
      entries[place] = entry
      index += 1
    }
  }

  private static func isBefore(_ a: Entry, _ b: Entry, _ names: borrowing Span<UInt8>) -> Bool {
    let order = ByteOrder.compare(names, a.name, names, b.name)
    return order != 0 ? order < 0 : a.field < b.field
  }

  /// True where both have one name.
  func haveOneName(_ a: Entry, _ b: Entry) -> Bool {
    a.name.count == b.name.count && ByteOrder.compare(names.span, a.name, names.span, b.name) == 0
  }

  /// True where the name of the entry is `name`, which is in lower case.
  func hasName(_ entry: Entry, _ name: StaticString) -> Bool {
    guard entry.name.count == name.utf8CodeUnitCount else { return false }
    return hasPrefix(entry, name)
  }

  func hasPrefix(_ entry: Entry, _ prefix: StaticString) -> Bool {
    guard entry.name.count >= prefix.utf8CodeUnitCount else { return false }
    let bytes = names.span
    return prefix.withUTF8Buffer { prefix in
      for index in 0..<prefix.count {
        guard bytes[entry.name.lowerBound + index] == (unsafe prefix[index]) else { return false }
      }
      return true
    }
  }

  func text(_ entry: Entry) -> String { String(decoding: names[entry.name], as: UTF8.self) }

  /// True for the headers that a signature must not cover.
  func mustNotBeSigned(_ entry: Entry) -> Bool {
    // Most names have a length that none of those has, or begin with another letter.
    guard entry.name.count < 64, Self.unsignedLengths >> UInt64(entry.name.count) & 1 == 1 else {
      return false
    }
    for name in Self.unsigned where hasName(entry, name) { return true }
    return false
  }

  /// What lies between signer and service rewrites them, or they belong to one connection; and the one that carries
  /// the signature.
  private static let unsigned: [StaticString] = [
    "accept-encoding", "authorization", "connection", "expect", "forwarded", "keep-alive", "max-forwards",
    "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding",
    "upgrade",
    "user-agent", "via", "x-amzn-trace-id", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port",
    "x-forwarded-proto",
  ]

  private static let unsignedLengths: UInt64 = unsigned.reduce(0) { $0 | 1 << UInt64($1.utf8CodeUnitCount) }
}

/// The order of bytes, as sorting for a signature has it.
enum ByteOrder {
  /// Less than 0 where the left part comes first, 0 where both are alike.
  @inline(__always)
  static func compare(
    _ a: borrowing Span<UInt8>, _ left: Range<Int>, _ b: borrowing Span<UInt8>, _ right: Range<Int>
  ) -> Int {
    let common = min(left.count, right.count)
    var index = 0
    while index < common {
      let difference = Int(a[left.lowerBound &+ index]) &- Int(b[right.lowerBound &+ index])
      guard difference == 0 else { return difference }
      index &+= 1
    }
    return left.count &- right.count
  }
}
