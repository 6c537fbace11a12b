extension SignedRequest {
  /// The signer of the chunks of this request's body.
  ///
  /// - Returns: a signer that continues the request's signature.
  /// - Throws: `notStreamed` when the request was not signed for chunks.
  public func chunkSigner() throws(SigV4Error) -> ChunkSigner {
    guard case .chunks(let layout) = payload else { throw .notStreamed }
    return try ChunkSigner(key: key, layout: layout, date: date, scope: scope, seed: signature)
  }

  /// The signer of the events of this request's body.
  ///
  /// - Returns: a signer that continues the request's signature.
  /// - Throws: `notStreamed` when the request was not signed for events.
  public func eventSigner() throws(SigV4Error) -> EventSigner {
    guard case .events = payload else { throw .notStreamed }
    return EventSigner(key: key, scope: scope, seed: signature)
  }
}
