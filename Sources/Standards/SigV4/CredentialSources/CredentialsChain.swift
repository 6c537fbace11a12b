/// The credentials of the first source that has some. A source that throws `notFound` is skipped; any other
/// error ends the search.
public struct CredentialsChain: CredentialsSource {
  private let sources: [any CredentialsSource]

  /// Creates a chain of sources.
  public init(_ sources: [any CredentialsSource]) { self.sources = sources }

  /// The credentials of the first source that has some; `notFound` with all reasons when none has.
  public func credentials(at now: Timestamp = .now) async throws(CredentialsError) -> Credentials {
    var tried: [String] = []
    for source in sources {
      do {
        return try await source.credentials(at: now)
      } catch .notFound(let reasons) {
        tried += reasons
      }
    }
    throw .notFound(tried: tried)
  }
}
