internal import TokenSecurityBase

/// The second line of a canonical request.
enum CanonicalPath {
  static func make(_ path: [UInt8], form: CanonicalForm) -> [UInt8] {
    var encoded: [UInt8] = []
    let bytes = path.span
    if form.removesDotSegments, mayChange(bytes) {
      let clean = withoutDotSegments(bytes)
      appendEncoded(clean.span, form.pathEncoding, to: &encoded)
    } else if bytes.indices.allSatisfy({
      PercentEncoding.isUnreserved(bytes[$0]) || bytes[$0] == UInt8(ascii: "/")
    }) {
      return path
    } else {
      appendEncoded(bytes, form.pathEncoding, to: &encoded)
    }
    return encoded
  }

  private static func appendEncoded(
    _ path: borrowing Span<UInt8>, _ encoding: CanonicalForm.PathEncoding, to output: inout [UInt8]
  ) {
    switch encoding {
    case .twice: PercentEncoding.append(path, keepingSlashes: true, to: &output)
    case .once:
      // Keeps percent-encoding, and the case of its digits, as it was sent.
      var start = 0
      while let mark = ByteSearch.firstIndex(of: UInt8(ascii: "%"), in: path, from: start) {
        PercentEncoding.append(path, in: start..<mark, keepingSlashes: true, to: &output)
        let end = min(mark + 3, path.count)
        output.append(copying: path.extracting(mark..<end))
        start = end
      }
      PercentEncoding.append(path, in: start..<path.count, keepingSlashes: true, to: &output)
    }
  }

  /// Whether a segment is empty or begins with a dot.
  private static func mayChange(_ path: borrowing Span<UInt8>) -> Bool {
    var index = 1
    while index < path.count {
      let byte = path[index]
      if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "."), path[index - 1] == UInt8(ascii: "/") {
        return true
      }
      index += 1
    }
    return false
  }

  /// The path without `.` and empty segments, and without the segments that `..` removes. A slash at the end
  /// stays; a `.` or `..` at the end leaves no slash, as in AWS's signers.
  private static func withoutDotSegments(_ path: borrowing Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(path.count)
    var start = 0
    while start < path.count {
      let end = ByteSearch.firstIndex(of: UInt8(ascii: "/"), in: path, from: start) ?? path.count
      let segment = path.extracting(start..<end)
      let dots = segment.count <= 2 && segment.indices.allSatisfy { segment[$0] == UInt8(ascii: ".") }
      switch (dots, segment.count) {
      case (true, 0), (true, 1): break
      case (true, _):
        while let last = output.popLast(), last != UInt8(ascii: "/") {}
      default:
        output.append(UInt8(ascii: "/"))
        output.append(copying: segment)
      }
      start = end + 1
    }
    if output.isEmpty || path[path.count - 1] == UInt8(ascii: "/") { output.append(UInt8(ascii: "/")) }
    return output
  }
}
