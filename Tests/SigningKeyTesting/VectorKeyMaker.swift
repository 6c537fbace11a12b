public import Records
internal import Synchronization

extension SigningKeyMaker {
  /// Gives out the keys of ``VectorKeys`` in their order, after the last one the first.
  ///
  /// Each maker begins anew. Services on one store need different keys: the second one begins in the middle.
  ///
  /// - Parameter first: the number of the first key.
  /// - Returns: the maker.
  public static func vectors(from first: Int = 0) -> SigningKeyMaker {
    let next = Atomic(first)
    return SigningKeyMaker { algorithm in
      try VectorKeys.key(next.wrappingAdd(1, ordering: .relaxed).oldValue, for: algorithm)
    }
  }
}
