/// Learns when fetches of key sets are in progress, from the request to the parsed keys.
package struct FetchWatch: Sendable {
  /// Called when one begins.
  package let began: @Sendable () -> Void
  /// Called when it has ended.
  package let ended: @Sendable () -> Void

  package init(began: @escaping @Sendable () -> Void, ended: @escaping @Sendable () -> Void) {
    self.began = began
    self.ended = ended
  }
}
