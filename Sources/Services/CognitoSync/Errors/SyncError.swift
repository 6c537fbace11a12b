public import TokenSecurityBase

/// Why a call to the data sets of an identity was refused.
///
/// ``codeText`` is for programs, ``type`` is the protocol's name, and ``description`` is a sentence that names
/// the rule and the value.
@nonexhaustive public enum SyncError: CodedError, Equatable {
  // The request.

  /// The request cannot be read, or members are not within their bounds. The code is that of the
  /// `OperationError`.
  case request(OperationError)
  /// A member's value is not allowed.
  case parameterRefused(String, rule: String)
  /// `NextToken` was not issued by this operation for this data set.
  case nextTokenInvalid
  /// `SyncSessionToken` was not issued for this data set, or has expired.
  case sessionTokenInvalid
  /// `LastSyncCount` is higher than the data set's count.
  case syncCountUnknown(Int64)

  // The caller.

  /// The caller has no signature, or its pool or identity does not exist. The code is that of the
  /// `IdentityError`.
  case identity(IdentityError)
  /// The credentials are valid but do not allow the call.
  case callerForbidden(rule: String)

  // Data sets.

  /// The data set does not exist.
  case datasetUnknown(String)
  /// A record has another count than the patch. Both are as the service reports them.
  case recordConflict(key: String, current: Int64, given: Int64)
  /// The data set was deleted, or made anew, since its records were listed. List them again.
  case datasetReplaced(String)
  /// The limit of an identity's data sets is reached.
  case datasetsFull(limit: Int)
  /// The limit of a data set's records is reached.
  case recordsFull(limit: Int)
  /// The keys and values of a data set would have too many bytes.
  case datasetTooLarge(size: Int, limit: Int)

  // Devices and push messages.

  /// The device is not registered for the identity.
  case deviceUnknown(String)
  /// The platform does not accept the device's token. Callers do not get the reason, which is another service's text.
  case tokenRefused(reason: String)
  /// The pool is not set up for push messages to the platform, or its settings do not allow them. Callers do not get
  /// the reason: it can name the pool's role, or be another service's text.
  case pushNotConfigured(rule: String, reason: String = "")
  /// The device cannot be registered now. A later try may succeed.
  case pushUnavailable(String)
  /// So many devices are being registered that this one must wait. A later try may succeed.
  case registrationsFull(limit: Int)
  /// An earlier endpoint of the device is being removed. A later try may succeed.
  case deviceBusy

  // The service.

  /// The store could not be read or written.
  case storeFailed(String)
  /// Too many calls wait for the store, or change the same rows. A later try may succeed.
  case storeBusy
  /// It is not known whether a change was stored: the store failed while it was committed.
  case outcomeUnknown(String)
  /// A cryptographic operation failed.
  case cryptoFailed(String)
}
