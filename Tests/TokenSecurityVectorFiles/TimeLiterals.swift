public import TokenLifetime

/// Tests write instants as seconds since 1970.
extension Timestamp: ExpressibleByIntegerLiteral {
  public init(integerLiteral seconds: Int64) { self.init(seconds: seconds) }
}

/// Tests write durations as seconds.
extension Duration: @retroactive ExpressibleByIntegerLiteral {
  public init(integerLiteral seconds: Int64) { self = .seconds(seconds) }
}
