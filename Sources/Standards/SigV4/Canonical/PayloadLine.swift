internal import TokenSecurityBase

/// The last line of a canonical request.
enum PayloadLine {
  case hash(InlineArray<32, UInt8>)
  case text(String)

  func append(to output: inout OutputSpan<UInt8>) {
    switch self {
    case .hash(let hash): output.append(hex: hash.span)
    case .text(let text): output.append(text)
    }
  }

  /// The number of bytes.
  var size: Int {
    switch self {
    case .hash: 64
    case .text(let text): text.utf8.count
    }
  }

  /// The line as the value of a header.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(addingCapacity: size) { append(to: &$0) }
    return bytes
  }
}
