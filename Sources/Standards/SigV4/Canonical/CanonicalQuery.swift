internal import TokenSecurityBase

/// The third line of a canonical request: parameters decoded and encoded again, sorted by encoded name, then
/// by encoded value.
///
/// A `+` is a plus and becomes `%2B`, unless a policy reads it as a space; empty parameters are skipped; the first `=` ends the name.
struct CanonicalQuery {
  private struct Parameter {
    let name: Range<Int>
    let value: Range<Int>
  }

  private var encoded: [UInt8] = []
  private var parameters: [Parameter] = []

  /// Reads a query without the parameters of these names.
  init(_ bytes: [UInt8], excluding names: [StaticString] = []) {
    guard !bytes.isEmpty else { return }
    let query = bytes.span
    encoded.reserveCapacity(query.count + query.count / 4)
    var start = 0
    while start < query.count {
      let end = ByteSearch.firstIndex(of: UInt8(ascii: "&"), in: query, from: start) ?? query.count
      if end > start { add(query.extracting(start..<end), excluding: names) }
      start = end + 1
    }
  }

  /// The query with a space instead of each `+`, as HTML forms read it.
  static func readingPlusAsSpace(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(UInt8(ascii: "+")) else { return bytes }
    return bytes.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
  }

  private mutating func add(_ pair: borrowing Span<UInt8>, excluding names: [StaticString]) {
    let mark = ByteSearch.firstIndex(of: UInt8(ascii: "="), in: pair, from: 0)
    let first = encoded.count
    appendReencoded(pair, 0..<(mark ?? pair.count))
    let middle = encoded.count
    for name in names where ByteOrder.isEqual(encoded.span.extracting(first..<middle), name) {
      encoded.removeLast(middle - first)
      return
    }
    if let mark { appendReencoded(pair, (mark + 1)..<pair.count) }
    parameters.append(Parameter(name: first..<middle, value: middle..<encoded.count))
  }

  private mutating func appendReencoded(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) {
    var start = range.lowerBound
    var index = start
    while index < range.upperBound {
      guard bytes[index] == UInt8(ascii: "%"), let byte = PercentEncoding.byte(bytes, at: index) else {
        index += 1
        continue
      }
      PercentEncoding.append(bytes, in: start..<index, keepingSlashes: false, to: &encoded)
      if PercentEncoding.isUnreserved(byte) {
        encoded.append(byte)
      } else {
        PercentEncoding.append(triple: byte, to: &encoded)
      }
      index += 3
      start = index
    }
    PercentEncoding.append(bytes, in: start..<range.upperBound, keepingSlashes: false, to: &encoded)
  }

  private func compare(_ a: Range<Int>, _ b: Range<Int>) -> Int {
    ByteOrder.compare(encoded.span, a, encoded.span, b)
  }

  /// The line: the sorted parameters.
  consuming func line() -> [UInt8] {
    var output: [UInt8] = []
    guard !parameters.isEmpty else { return output }
    var sorted = parameters
    sorted.sort { a, b in
      let names = compare(a.name, b.name)
      return names != 0 ? names < 0 : compare(a.value, b.value) < 0
    }
    let bytes = encoded.span
    output.append(addingCapacity: bytes.count + 2 * sorted.count) { output in
      for parameter in sorted {
        if !output.isEmpty { output.append(UInt8(ascii: "&")) }
        output.append(copying: bytes.extracting(parameter.name))
        output.append(UInt8(ascii: "="))
        output.append(copying: bytes.extracting(parameter.value))
      }
    }
    return output
  }
}
