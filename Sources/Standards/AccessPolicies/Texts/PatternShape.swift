/// A pattern in three parts: bytes before the first wildcard, what is between the wildcards, and bytes after the last one.
///
/// Bytes are compared many at a time, and refuse most texts before an automaton is needed. Few patterns need one: `s3:Get*` and
/// `arn:aws:s3:::files/*/public` do not.
struct PatternShape {
  /// What is between the bytes.
  enum Middle {
    /// The pattern matches no text.
    case impossible
    /// No wildcards: the bytes before them are the text.
    case nothing
    /// A `*` that matches every text.
    case anything
    /// A `*` that matches every text without a colon.
    case anythingInPart
    /// Other wildcards, and what is between them.
    case automaton(WildcardAutomaton)
  }

  let prefix: ArraySlice<UInt8>
  let middle: Middle
  let suffix: ArraySlice<UInt8>

  init(_ symbols: PatternSymbols, _ colons: WildcardPattern.Colons) {
    let values = symbols.values
    let bytes = symbols.bytes
    let colon = UInt16(UInt8(ascii: ":"))
    guard colons != .ofARN || values.count(where: { $0 == colon }) >= 5 else {
      (prefix, middle, suffix) = ([], .impossible, [])
      return
    }
    guard let first = values.firstIndex(where: PatternSymbols.isWildcard),
      let last = values.lastIndex(where: PatternSymbols.isWildcard)
    else {
      (prefix, middle, suffix) = (bytes[...], .nothing, [])
      return
    }
    prefix = bytes[..<first]
    suffix = bytes[(last + 1)...]
    guard first == last, values[first] == PatternSymbols.any else {
      middle = .automaton(WildcardAutomaton(values, colons: colons, first..<last + 1))
      return
    }
    let part = values[..<first].count { $0 == colon }
    middle = colons.crosses(values, at: first, part: part) ? .anything : .anythingInPart
  }
}
