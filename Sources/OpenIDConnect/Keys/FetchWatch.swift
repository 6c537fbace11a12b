/// Learns of fetches of key sets.
package struct FetchWatch: Sendable {
  /// What begins or ends.
  package enum Event: Sendable {
    /// A fetch, from the decision to its outcome.
    case fetchBegan, fetchEnded
    /// The parsing of a response, which can outlive its fetch.
    case parsingBegan, parsingEnded
  }

  package let note: @Sendable (Event) -> Void

  package init(_ note: @escaping @Sendable (Event) -> Void) { self.note = note }
}
