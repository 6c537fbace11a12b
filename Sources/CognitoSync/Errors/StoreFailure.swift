public import Records

extension SyncError: RecordStoreFailure {
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
