/// A body as it is sent: the chunks of another sequence of bytes, signed as they come.
///
///     for try await chunk in try signed.chunks(of: upload) { send(chunk) }
///
/// Nothing is read before it is asked for. A sequence can be gone through once for each request that was signed:
/// its signatures follow from the request's.
public struct SignedChunks<Base: AsyncSequence>: AsyncSequence where Base.Element: Sequence<UInt8> {
  public typealias Element = [UInt8]

  let base: Base
  let request: SignedRequest

  public func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), request: request) }

  public struct Iterator: AsyncIteratorProtocol {
    private var base: Base.AsyncIterator
    private let request: SignedRequest
    private let state = State()

    // What signs cannot be copied, and an iterator must be: both share it.
    private final class State {
      var signer: ChunkSigner?
      var hasEnded = false
    }

    init(base: Base.AsyncIterator, request: SignedRequest) {
      self.base = base
      self.request = request
    }

    /// The next bytes to send; nil behind the last. Throws what the base throws, and `SigV4Error`.
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
  /// The chunks of `body`, whose elements are pieces of whatever size.
  ///
  /// - Throws: `notStreamed` where the request was not signed for chunks.
  public func chunks<Base: AsyncSequence>(of body: Base) throws(SigV4Error) -> SignedChunks<Base> {
    guard case .chunks = payload else { throw .notStreamed }
    return SignedChunks(base: body, request: self)
  }
}
