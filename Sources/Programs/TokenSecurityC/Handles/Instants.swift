internal import TokenLifetime

/// Times as C functions have them.
enum Instants {
  /// `TS_NOW`: the current time.
  static let now = Int64.min

  /// A time in seconds since 1970.
  static func date(_ seconds: Int64) -> Timestamp {
    seconds == now ? .now : Timestamp(since1970: .seconds(seconds))
  }
}
