/// The signed chunks of a body, in the form in which they are sent.
///
///     for try await chunk in try signed.chunks(of: upload) { send(chunk) }
///
/// Pieces of the body are read on demand. Iterate once per signed request, because the signatures continue
/// the signature of the request.
public struct SignedChunks<Base: AsyncSequence>: AsyncSequence where Base.Element: Sequence<UInt8> {
  /// Bytes to send.
  public typealias Element = [UInt8]

  let base: Base
  let request: SignedRequest

  /// An iterator that begins with the first chunk.
  public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), request: request) }

  /// The iterator over the chunks of a body.
  public struct Iterator: AsyncIteratorProtocol {
    private var base: Base.AsyncIterator
    private let request: SignedRequest
    private let state = State()

    // A reference: iterators must be copyable, and a `ChunkSigner` is not.
    private final class State {
      var signer: ChunkSigner?
      var hasEnded = false
    }

    init(base: Base.AsyncIterator, request: SignedRequest) {
      self.base = base
      self.request = request
    }

    /// The next bytes to send; nil after the last.
    ///
    /// - Throws: errors of the base sequence, and ``SigV4Error``.
    public mutating func next() async throws -> [UInt8]? {
      guard !state.hasEnded else { return nil }
      if state.signer == nil { state.signer = try request.chunkSigner() }
      while let piece = try await base.next() {
        let output = try piece.withContiguousStorageIfAvailable { unsafe try state.signer?.write($0.span) }
        let ready = try (output ?? state.signer?.write(Array(piece))) ?? []
        if !ready.isEmpty { return ready }
      }
      state.hasEnded = true
      guard let signer = state.signer.take() else { return nil }
      return try signer.finish()
    }
  }
}

extension SignedChunks: Sendable where Base: Sendable {}

extension SignedRequest {
  /// Signs the chunks of a body.
  ///
  /// - Parameter body: the body, in pieces of any size.
  /// - Returns: the chunks to send.
  /// - Throws: `notStreamed` when the request was not signed for chunks.
  public func chunks<Base: AsyncSequence>(of body: Base) throws(SigV4Error) -> SignedChunks<Base> {
    guard case .chunks = payload else { throw .notStreamed }
    return SignedChunks(base: body, request: self)
  }
}
