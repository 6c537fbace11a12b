internal import TokenSecurityBase

extension RequestHead {
  /// Rejects a path and a query that programs read in different ways, unless the policy accepts the
  /// ambiguity.
  func checkAmbiguities(_ policy: VerifierPolicy, _ placement: SignaturePlacement) throws(SigV4Error) {
    func reject(_ ambiguity: RequestAmbiguity, at index: Int?) throws(SigV4Error) {
      guard let index, !policy.acceptedAmbiguities.contains(ambiguity) else { return }
      throw .ambiguous(ambiguity, at: index)
    }
    let path = path.span
    try reject(.plusInPath, at: ByteSearch.firstIndex(of: UInt8(ascii: "+"), in: path, from: 0))
    let query = query.span
    if let plus = ByteSearch.firstIndex(of: UInt8(ascii: "+"), in: query, from: 0) {
      switch policy.plusInQuery {
      case .plus: try reject(.plusInQuery, at: plus)
      case .space:
        // The signature's own parameters were parsed with a plus.
        if placement == .query, let index = PresignedQuery.firstPlus(self.query) {
          throw .ambiguous(.plusInQuery, at: index)
        }
      }
    }
    for index in path.indices
    where path[index] == 0x20 || path[index] > 0x7E || path[index] == UInt8(ascii: "\\") {
      try reject(.rawByte, at: index)
    }
    for index in query.indices where query[index] == 0x20 || query[index] > 0x7E {
      try reject(.rawByte, at: index)
    }
    var from = 0
    var hasEncodedDot = false
    while let index = ByteSearch.firstIndex(of: UInt8(ascii: "%"), in: path, from: from) {
      let byte = PercentEncoding.byte(path, at: index)
      if byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") { try reject(.encodedSlash, at: index) }
      hasEncodedDot = hasEncodedDot || byte == UInt8(ascii: ".")
      from = index + 1
    }
    try checkSegments(hasEncodedDot, policy)
  }

  private func checkSegments(_ hasEncodedDot: Bool, _ policy: VerifierPolicy) throws(SigV4Error) {
    let path = path.span
    var start = 1
    while start <= path.count {
      let end = ByteSearch.firstIndex(of: UInt8(ascii: "/"), in: path, from: start) ?? path.count
      let segment = path.extracting(min(start, path.count)..<end)
      if hasEncodedDot, segment.count > 2, segment.count <= 6 {
        let decoded = PercentEncoding.decode(segment)
        if decoded == [0x2E] || decoded == [0x2E, 0x2E],
          !policy.acceptedAmbiguities.contains(.encodedDotSegment)
        {
          throw .ambiguous(.encodedDotSegment, at: start)
        }
      }
      let isDots = segment.count <= 2 && segment.indices.allSatisfy { segment[$0] == UInt8(ascii: ".") }
      // An empty last segment is usual, and so is any empty segment when the canonical form keeps it.
      let isUsual = segment.count == 0 && (end == path.count || !policy.form.removesDotSegments)
      if isDots, !isUsual, !policy.acceptedAmbiguities.contains(.dotSegment) {
        throw .ambiguous(.dotSegment, at: start)
      }
      start = end + 1
    }
  }
}
