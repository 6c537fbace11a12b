public import TokenLifetime

/// Tests write instants as seconds since 1970.
extension Timestamp: ExpressibleByIntegerLiteral {
  /// The instant `seconds` after 1970.
  public init(integerLiteral seconds: Int64) { self.init(seconds: seconds) }
}

/// Tests write durations as seconds.
extension Duration: @retroactive ExpressibleByIntegerLiteral {
  /// A duration of `seconds`.
  public init(integerLiteral seconds: Int64) { self = .seconds(seconds) }
}
