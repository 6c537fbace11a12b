internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension SyncError {
  /// The code and the sentence of each case. Where clients know the sentence of Amazon Cognito Sync, it is that one.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .request(let error): (.request, error.description)
    case .parameterRefused(let name, let rule): (.parameterRefused, "\(name): \(rule)")
    case .nextTokenInvalid: (.nextTokenInvalid, "NextToken was not issued by this operation")
    case .sessionTokenInvalid: (.sessionTokenInvalid, "SyncSessionToken not valid for these inputs")
    case .syncCountUnknown(let count):
      (.syncCountUnknown, "No such SyncCount: \(count) exists for this Dataset")
    case .identity(let error): (.identity, error.description)
    case .callerForbidden(let rule): (.callerForbidden, "the caller may not do this: \(rule)")
    case .datasetUnknown(let name): (.datasetUnknown, "there is no data set \(name.quoted)")
    case .recordConflict(let key, let current, let given):
      (
        .recordConflict,
        "Current SyncCount for: \(key.visible(upTo: 128)) is: \(current) not: \(given)"
      )
    case .datasetReplaced(let name):
      (.datasetReplaced, "the data set \(name.quoted) was deleted or made anew; list its records again")
    case .datasetsFull(let limit):
      (.datasetsFull, "the identity has \(limit) data sets, the most it may have")
    case .recordsFull(let limit): (.recordsFull, "the data set would have more than \(limit) records")
    case .datasetTooLarge(let size, let limit):
      (.datasetTooLarge, "the data set would have \(size) bytes; \(limit) are allowed")
    case .deviceUnknown(let id): (.deviceUnknown, "the identity has no device \(id.quoted)")
    case .tokenRefused(let reason):
      (.tokenRefused, "Token: the platform does not accept it\(reason.isEmpty ? "" : ": \(reason)")")
    case .pushNotConfigured(let rule, let reason):
      (.pushNotConfigured, "push messages cannot be sent: \(rule)\(reason.isEmpty ? "" : ": \(reason)")")
    case .pushUnavailable(let reason): (.pushUnavailable, "the device cannot be registered now: \(reason)")
    case .registrationsFull(let limit):
      (.registrationsFull, "\(limit) devices are being registered; try again later")
    case .deviceBusy:
      (.deviceBusy, "an earlier endpoint of the device is being removed; try again later")
    case .storeBusy: (.storeBusy, "the store is busy; try again later")
    case .outcomeUnknown(let reason):
      (.outcomeUnknown, "it is not known whether the change was stored: \(reason)")
    case .storeFailed(let reason): (.storeFailed, "the store could not be read or written: \(reason)")
    case .cryptoFailed(let reason): (.cryptoFailed, "a cryptographic operation failed: \(reason)")
    }
  }

  /// The message for callers. It hides the reasons of internal errors.
  public var publicMessage: String {
    switch self {
    case .request(let error): error.publicMessage
    case .identity(let error): error.publicMessage
    case .storeFailed, .outcomeUnknown, .cryptoFailed, .pushUnavailable: "An internal error occurred."
    case .tokenRefused: SyncError.tokenRefused(reason: "").description
    case .pushNotConfigured(let rule, _): SyncError.pushNotConfigured(rule: rule).description
    default: description
    }
  }
}

extension SyncError {
  init(_ error: CryptoError) { self = .cryptoFailed("\(error)") }

  /// Converts errors of libcrypto.
  static func crypto<R: ~Copyable>(_ body: () throws(CryptoError) -> R) throws(SyncError) -> R {
    do throws(CryptoError) { return try body() } catch { throw SyncError(error) }
  }
}
