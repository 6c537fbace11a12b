/// Keys that are fetched before a token needs them.
extension OpenIDVerifier {
  private var sets: [RemoteKeySet] {
    ahead.compactMap { if case .remote(let set) = $0 { set } else { nil } }
  }

  /// Fetches the keys of all issuers for ``verify(_:at:)``, except ``TrustedIssuer/separateKeys``.
  ///
  /// - Throws: the first error, after all fetches have ended.
  public func prefetch() async throws(OpenIDError) {
    let error = await withTaskGroup(of: OpenIDError?.self) { group in
      var first: OpenIDError? = nil
      for (index, set) in sets.enumerated() {
        if index >= 16, let ended = await group.next() { first = first ?? ended }
        group.addTask {
          do throws(OpenIDError) { try await set.prefetch() } catch { return error }
          return nil
        }
      }
      for await ended in group { first = first ?? ended }
      return first
    }
    if let error { throw error }
  }

  /// Keeps the keys that ``prefetch()`` fetches fresh until the task is cancelled, even without tokens.
  public func keepFresh() async {
    await withTaskGroup(of: Void.self) { group in
      for set in sets { group.addTask { await set.keepFresh() } }
    }
  }
}
