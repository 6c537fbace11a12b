internal import TokenSecurityBase

/// Mistakes in the query of a canonical request.
extension Variations {
  static func queries(_ request: UnverifiedRequest) -> [Variation] {
    let isQuery = request.parameters.placement == .query
    let pairs = request.head.query.split(separator: UInt8(ascii: "&")).map {
      String(decoding: $0, as: UTF8.self)
    }
    .filter { !isQuery || !$0.hasPrefix("X-Amz-Signature=") }
    let withEquals = pairs.map { $0.utf8.contains(UInt8(ascii: "=")) ? $0 : $0 + "=" }
    let excluded: [StaticString] = isQuery ? ["X-Amz-Signature"] : []
    let plus = CanonicalQuery.readingPlusAsSpace(request.head.query)
    let withSpaces = String(decoding: CanonicalQuery(plus, excluding: excluded).line(), as: UTF8.self)
    let withPluses = String(
      decoding: CanonicalQuery(request.head.query, excluding: excluded).line(), as: UTF8.self)
    // node-aws4 signs only the first value of a repeated name for S3, and reads + as a space.
    let firsts = [request.head.query, plus].map { once($0, excluding: excluded, fromEnd: false) }
    let lasts = [request.head.query, plus].map { once($0, excluding: excluded, fromEnd: true) }
    return [
      Variation("query_unsorted", "the signature matches if the query's parameters are not sorted") {
        $0.query = withEquals.joined(separator: "&")
      },
      Variation(
        "query_as_it_stands",
        "the signature matches if the query is sorted and otherwise signed as it was sent"
      ) {
        $0.query = withEquals.sorted().joined(separator: "&")
      },
      Variation("query_plus_as_space", "the signature matches if + in the query is a space: send %20 or %2B")
      {
        $0.query = withSpaces
      },
      Variation("query_plus_as_plus", "the signature matches if + in the query is a plus: send %2B") {
        $0.query = withPluses
      },
      Variation(
        "query_missing_equals", "the signature matches if a parameter without a value is signed without its ="
      ) {
        lines in
        lines.query = lines.query.parameters.map { $0.hasSuffix("=") ? String($0.dropLast()) : $0 }
          .joined(separator: "&")
      },
      Variation(
        "query_repeated_first",
        "the signature matches if only the first value of a repeated parameter is signed"
      ) { $0.query = $0.query == withSpaces ? firsts[1] : firsts[0] },
      Variation(
        "query_repeated_last",
        "the signature matches if only the last value of a repeated parameter is signed"
      ) { $0.query = $0.query == withSpaces ? lasts[1] : lasts[0] },
      Variation("query_left_out", "the signature matches without the query") { lines in
        if !isQuery { lines.query = "" }
      },
      Variation("session_token_unsigned", "the signature matches if the session token is added after signing")
      { lines in
        lines.query = lines.query.parameters.filter { !$0.hasPrefix("X-Amz-Security-Token=") }
          .joined(separator: "&")
      },
    ]
  }

  /// The line of a query with one value of each name: the first one, or the last one.
  private static func once(_ query: [UInt8], excluding excluded: [StaticString], fromEnd: Bool) -> String {
    var seen: Set<ExactString> = []
    var kept: [[UInt8]] = []
    let pairs = query.split(separator: UInt8(ascii: "&")).map { Array($0) }
    for pair in fromEnd ? pairs.reversed() : pairs {
      let encoded = Array(pair.prefix { $0 != UInt8(ascii: "=") })
      let name = PercentEncoding.decode(encoded.span)
      if seen.insert(ExactString(String(decoding: name, as: UTF8.self))).inserted { kept.append(pair) }
    }
    let line = CanonicalQuery(
      Array(kept.joined(separator: [UInt8(ascii: "&")])), excluding: excluded
    ).line()
    return String(decoding: line, as: UTF8.self)
  }
}

extension String {
  /// The encoded parameters of a query.
  fileprivate var parameters: [String] {
    utf8.split(separator: UInt8(ascii: "&")).map { String(Substring($0)) }
  }
}
