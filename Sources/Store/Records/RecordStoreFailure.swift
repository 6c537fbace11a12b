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

/// The failure of a service with the cases that services have for failures of their store.
///
///     enum ServiceFailure: Error, ServiceStoreFailure {
///       case storeBusy
///       case outcomeUnknown(String)
///       case storeFailed(String)
///     }
public protocol ServiceStoreFailure: RecordStoreFailure {
  /// Too many calls wait for the store, or change the same rows. A later try may succeed.
  static var storeBusy: Self { get }
  /// It is not known whether a change was stored. The text says why.
  static func outcomeUnknown(_ reason: String) -> Self
  /// The store could not be read or written. The text says why.
  static func storeFailed(_ reason: String) -> Self
}

extension ServiceStoreFailure {
  /// Makes the error for a failure of the store.
  ///
  /// - Parameter error: what failed.
  public init(_ error: RecordStoreError) {
    self =
      switch error {
      case .busy, .tooManyRetries: .storeBusy
      case .outcomeUnknown(let reason): .outcomeUnknown(reason)
      default: .storeFailed("\(error)")
      }
  }
}
