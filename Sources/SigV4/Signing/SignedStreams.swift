extension SignedRequest {
  /// What signs the chunks of this request's body, one after the other.
  ///
  /// - Throws: `notStreamed` where the request was not signed for chunks.
  public func chunkSigner() throws(SigV4Error) -> ChunkSigner {
    guard case .chunks(let layout) = payload else { throw .notStreamed }
    return try ChunkSigner(key: key, layout: layout, date: date, scope: scope, seed: signature)
  }
}

extension SignedRequest {
  /// What signs the events of this request's body.
  ///
  /// - Throws: `notStreamed` where the request was not signed for events.
  public func eventSigner() throws(SigV4Error) -> EventSigner {
    guard case .events = payload else { throw .notStreamed }
    return EventSigner(key: key, scope: scope, seed: signature)
  }
}
