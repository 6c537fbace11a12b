internal import TokenSecurityEncodings

/// The last line of a canonical request.
enum PayloadLine {
  case hash(InlineArray<32, UInt8>)
  case text(String)

  func append(to output: inout [UInt8]) {
    switch self {
    case .hash(let hash): output.append(hex: hash.span)
    case .text(let text): output.append(text)
    }
  }

  /// The line as the value of a header.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }
}
