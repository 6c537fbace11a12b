internal import Encodings

/// A request's headers by their names in lower case, sorted; those of one name in the order in which they came.
struct HeaderTable {
  struct Entry {
    /// Where the name lies among the names in lower case.
    let name: Range<Int>
    /// Which of the request's headers it is.
    let field: Int
  }

  private(set) var names: [UInt8] = []
  private(set) var entries: [Entry] = []

  init(_ fields: [HeaderField]) {
    names.reserveCapacity(fields.count * 16)
    entries.reserveCapacity(fields.count)
    for (index, field) in fields.enumerated() {
      let start = names.count
      for byte in field.name.utf8 { names.append(byte.lowercased) }
      entries.append(Entry(name: start..<names.count, field: index))
    }
    // Few headers, nearly in order: inserting is quicker than what sorts many.
    if entries.count <= 24 { insertionSort() } else { entries = entries.sorted { isBefore($0, $1) } }
  }

  private mutating func insertionSort() {
    var index = 1
    while index < entries.count {
      let entry = entries[index]
      var place = index
      while place > 0, isBefore(entry, entries[place - 1]) {
        entries[place] = entries[place - 1]
        place -= 1
      }
      entries[place] = entry
      index += 1
    }
  }

  private func isBefore(_ a: Entry, _ b: Entry) -> Bool {
    let order = compare(a.name, b.name)
    return order != 0 ? order < 0 : a.field < b.field
  }

  func compare(_ a: Range<Int>, _ b: Range<Int>) -> Int {
    let bytes = names.span
    let common = min(a.count, b.count)
    var index = 0
    while index < common {
      let difference = Int(bytes[a.lowerBound + index]) - Int(bytes[b.lowerBound + index])
      guard difference == 0 else { return difference }
      index += 1
    }
    return a.count - b.count
  }

  /// True where the name of the entry is `name`, which is in lower case.
  func hasName(_ entry: Entry, _ name: StaticString) -> Bool {
    guard entry.name.count == name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { name in
      for index in 0..<name.count {
        guard names[entry.name.lowerBound + index] == (unsafe name[index]) else { return false }
      }
      return true
    }
  }

  func hasPrefix(_ entry: Entry, _ prefix: StaticString) -> Bool {
    guard entry.name.count >= prefix.utf8CodeUnitCount else { return false }
    let start = entry.name.lowerBound
    return hasName(Entry(name: start..<start + prefix.utf8CodeUnitCount, field: entry.field), prefix)
  }

  func text(_ entry: Entry) -> String { String(decoding: names[entry.name], as: UTF8.self) }

  /// The headers that a signature must not cover, since what lies between signer and service rewrites them or they
  /// belong to one connection; and the one that carries it.
  static let unsigned: [StaticString] = [
    "accept-encoding", "authorization", "connection", "expect", "forwarded", "keep-alive", "max-forwards",
    "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding",
    "upgrade",
    "user-agent", "via", "x-amzn-trace-id", "x-forwarded-for", "x-forwarded-host", "x-forwarded-port",
    "x-forwarded-proto",
  ]
}
