public import SigV4

/// The first of several sources that has credentials. One that has none is passed over; one that has broken ones is
/// not.
public struct CredentialsChain: CredentialsSource {
  private let sources: [any CredentialsSource]

  public init(_ sources: [any CredentialsSource]) { self.sources = sources }

  public func credentials(at now: Timestamp) async throws(CredentialsError) -> Credentials {
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
