internal import TokenSecurityBase

/// Mistakes in the path of a canonical request.
extension Variations {
  static func paths(_ head: RequestHead) -> [Variation] {
    func path(_ code: String, _ sentence: String, _ form: CanonicalForm, _ bytes: [UInt8]) -> Variation {
      let text = String(decoding: CanonicalPath.make(bytes, form: form), as: UTF8.self)
      return Variation(code, sentence) { $0.path = text }
    }
    let raw = head.path
    let decoded = PercentEncoding.decode(raw.span)
    let other = CanonicalForm(pathEncoding: .twice, removesDotSegments: false)
    let onceClean = CanonicalForm(pathEncoding: .once, removesDotSegments: true)
    var encoded: [UInt8] = []
    PercentEncoding.append(raw.span, keepingSlashes: true, to: &encoded)
    let sent = String(decoding: raw, as: UTF8.self)
    // node-aws4 decodes the path of S3 like a form, and encodes it again.
    let likeForm = raw.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
    let formDecoded = PercentEncoding.decode(likeForm.span)
    var spaced: [UInt8] = []
    PercentEncoding.append(formDecoded.span, keepingSlashes: true, to: &spaced)
    let withSpaces = raw.contains(UInt8(ascii: "+")) ? String(decoding: spaced, as: UTF8.self) : nil
    let escaped = raw.flatMap { $0 == UInt8(ascii: "+") ? Array("%20".utf8) : [$0] }
    let twice = CanonicalPath.make(escaped, form: .standard)
    let encodedTwice = String(decoding: twice, as: UTF8.self)
    return [
      path("path_encoded_twice", "the signature matches if the path is encoded twice", .standard, raw),
      path(
        "path_not_cleaned", "the signature matches if dot segments and double slashes are kept in the path",
        other, raw),
      path(
        "path_encoded_once", "the signature matches if the path is encoded once, as only S3 requires", .s3,
        raw),
      path(
        "path_cleaned", "the signature matches if dot segments and double slashes are removed from the path",
        onceClean,
        raw),
      path(
        "path_decoded_by_proxy", "the signature matches if the path is still encoded: a proxy decoded it",
        .standard, encoded),
      path(
        "path_decoded_first", "the signature matches if the path is decoded before it is encoded", .s3,
        decoded),
      Variation("path_plus_as_space", "the signature matches if + in the path is a space: send %20 or %2B") {
        if let withSpaces { $0.path = withSpaces }
      },
      Variation("path_plus_as_space", "the signature matches if + in the path is a space: send %20 or %2B") {
        if withSpaces != nil { $0.path = encodedTwice }
      },
      Variation("path_as_it_stands", "the signature matches if the path is signed as it was sent") {
        $0.path = sent
      },
      Variation(
        "path_upper_case_hex", "the signature matches if the path's percent-encoding has upper-case digits"
      ) {
        $0.path = $0.path.uppercasedTriples
      },
      Variation(
        "path_without_slash_at_end",
        "the signature matches without the slash at the path's end: a proxy added it"
      ) {
        if $0.path.count > 1, $0.path.hasSuffix("/") { $0.path.removeLast() }
      },
      Variation(
        "path_with_slash_at_end", "the signature matches with a slash at the path's end: a proxy removed it"
      ) {
        if !$0.path.hasSuffix("/") { $0.path += "/" }
      },
    ]
  }
}

extension String {
  /// The text with upper-case digits in percent-encoding.
  fileprivate var uppercasedTriples: String {
    var output: [UInt8] = []
    let bytes = Array(utf8)
    var index = 0
    while index < bytes.count {
      if let byte = PercentEncoding.byte(bytes.span, at: index) {
        PercentEncoding.append(triple: byte, to: &output)
        index += 3
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
