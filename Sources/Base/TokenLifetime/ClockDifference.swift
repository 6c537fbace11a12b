extension Duration {
  /// How far the clocks of a service's nodes may differ, with the time that a call may have waited since its clock was read:
  /// a token or a row is from a node whose clock is ahead by at most this.
  package static let clockDifference = Duration.seconds(60)
}
