public import TokenSecurityBase

/// Why a call of the C interface was refused before the library did anything.
@nonexhaustive public enum CallError: CodedError, Equatable {
  /// A pointer that must not be null is null.
  case argumentMissing(String)
  /// An argument has too many bytes.
  case argumentTooLong(String, size: UInt, limit: UInt)
  /// A text is not UTF-8.
  case argumentNotUTF8(String)
  /// A number or a name is not among those that are allowed.
  case argumentOutOfRange(String, rule: String)
  /// The handle is of another kind.
  case handleWrong(String)
  /// The step was taken before, or comes too early.
  case stepUsed(String)
  /// Keys must be fetched, and the verifier has no function for that.
  case fetchFunctionMissing
  /// The call needs the keys that its own thread fetches.
  case fetchReentered
  /// The caller's function has given up.
  case fetchCancelled
  /// Keys were not fetched in time.
  case timedOut(milliseconds: UInt32)
  /// An error without a code.
  case internalError

  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    /// A pointer that must not be null is null.
    case argumentMissing = "argument_missing"
    /// An argument has too many bytes.
    case argumentTooLong = "argument_too_long"
    /// A text is not UTF-8.
    case argumentNotUTF8 = "argument_not_utf8"
    /// A number or a name is not among those that are allowed.
    case argumentOutOfRange = "argument_out_of_range"
    /// A handle is of another kind.
    case handleWrong = "handle_wrong"
    /// A step of a sign-in was taken before, or comes too early.
    case stepUsed = "step_used"
    /// The verifier has no function that fetches keys.
    case fetchFunctionMissing = "fetch_function_missing"
    /// The call needs the keys that its own thread fetches.
    case fetchReentered = "fetch_reentered"
    /// The caller's function has given up.
    case fetchCancelled = "fetch_cancelled"
    /// Keys were not fetched in time.
    case timedOut = "timed_out"
    /// An error without a code.
    case internalError = "internal"
  }

  /// The code and the sentence.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .argumentMissing(let name): (.argumentMissing, "the argument \(name) is null")
    case .argumentTooLong(let name, let size, let limit):
      (.argumentTooLong, "the argument \(name) has \(size) bytes; at most \(limit) are allowed")
    case .argumentNotUTF8(let name): (.argumentNotUTF8, "the argument \(name) is not UTF-8")
    case .argumentOutOfRange(let name, let rule): (.argumentOutOfRange, "the argument \(name) \(rule)")
    case .handleWrong(let name): (.handleWrong, "the argument \(name) is a handle of another kind")
    case .stepUsed(let step): (.stepUsed, "\(step)")
    case .fetchFunctionMissing:
      (.fetchFunctionMissing, "keys must be fetched, and no function was set for that")
    case .fetchReentered:
      (
        .fetchReentered,
        "the call needs keys that its own thread is fetching: it comes from within a fetch function"
      )
    case .fetchCancelled: (.fetchCancelled, "the fetch function has given up")
    case .timedOut(let milliseconds):
      (.timedOut, "the keys were not fetched within \(milliseconds) milliseconds")
    case .internalError: (.internalError, "an error without a code")
    }
  }
}
