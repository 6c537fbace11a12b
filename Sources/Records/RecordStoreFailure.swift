/// An error that the body of a transaction throws: the rules' own, which can also say that the store failed.
///
/// Calls of a transaction throw this type, so that rules have one type of errors:
///
///     extension RuleError: RecordStoreFailure {
///       init(_ error: RecordStoreError) { self = .storeFailed("\(error)") }
///     }
public protocol RecordStoreFailure: Error {
  /// Makes the error for a failure of the store.
  ///
  /// - Parameter error: what failed.
  init(_ error: RecordStoreError)
}

extension RecordStoreError: RecordStoreFailure {
  /// The error itself.
  ///
  /// - Parameter error: what failed.
  public init(_ error: RecordStoreError) { self = error }
}
