internal import TokenSecurityBase

/// The decoded parameters of a query in their order.
package struct QueryParameters {
  private let query: [UInt8]
  private var position = 0

  package init(_ query: [UInt8]) { self.query = query }

  package struct Parameter {
    package let name: [UInt8]
    package let value: [UInt8]

    func hasName(_ text: StaticString) -> Bool { ByteOrder.isEqual(name.span, text) }
  }

  package mutating func next() -> Parameter? {
    let query = query
    let bytes = query.span
    while position < bytes.count {
      let end = ByteSearch.firstIndex(of: UInt8(ascii: "&"), in: bytes, from: position) ?? bytes.count
      let start = position
      position = end + 1
      guard end > start else { continue }
      let pair = bytes.extracting(start..<end)
      guard let mark = ByteSearch.firstIndex(of: UInt8(ascii: "="), in: pair, from: 0) else {
        return Parameter(name: PercentEncoding.decode(pair), value: [])
      }
      return Parameter(
        name: PercentEncoding.decode(pair.extracting(0..<mark)),
        value: PercentEncoding.decode(pair.extracting((mark + 1)..<pair.count)))
    }
    return nil
  }
}
