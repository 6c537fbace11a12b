internal import CognitoIdentity
internal import CognitoSync
internal import CognitoUserPool
internal import TokenSecurityBase

/// An error that the operator must correct. The sentence names the file or setting, its value and the rule.
struct OperatingError: CodedError {
  /// The codes, which `docs/identity-service.md` lists.
  enum Code: String, Sendable, CaseIterable {
    /// An option, a setting or an address is wrong.
    case optionsWrong = "options_wrong"
    /// A file or folder cannot be read or written, or has the wrong contents.
    case fileUnusable = "file_unusable"
    /// Another process uses the data folder.
    case dataInUse = "data_in_use"
    /// A copy of a service's data is not whole, or its master key does not open its secrets.
    case backupRefused = "backup_refused"
    /// There is no access key, signing key, role or provider with the name.
    case nameUnknown = "name_unknown"
    /// Rows of an imported file failed.
    case rowsRefused = "rows_refused"
    /// Standard output cannot be written.
    case outputFailed = "output_failed"
    /// Any other failure.
    case failed = "failed"
  }

  let details: (code: Code, sentence: String)
  /// How a start handles data that commands refuse.
  enum Start: Sendable {
    /// It converts data of an older version.
    case converts
    /// It makes data where there is none.
    case makes
  }

  /// How a start handles the data; nil where it refuses it, too.
  private(set) var start: Start?

  init(_ sentence: String, code: Code = .optionsWrong) { details = (code, sentence) }

  /// Data of an older version, which `serve` alone converts.
  static func olderData(_ name: String) -> OperatingError {
    var error = OperatingError(
      "\(name) was written by an older version; start `identity-service serve` of this version once",
      code: .fileUnusable)
    error.start = .converts
    return error
  }

  /// A database without tables, which `serve` alone makes.
  static func noData(_ name: String) -> OperatingError {
    var error = OperatingError(
      "\(name) has no service's data; identity-service serve makes it", code: .fileUnusable)
    error.start = .makes
    return error
  }
}

/// The exit status of a command that does not succeed. 0 means success.
enum ExitStatus: Int32 {
  /// The rules of the service refuse it: there is no such pool, or a limit is reached.
  case refused = 1
  /// Wrong options, an unusable file or folder, or a failure.
  case failed = 2

  init(_ error: any Error) {
    switch error {
    case let error as OperatingError:
      self = [.nameUnknown, .backupRefused, .rowsRefused].contains(error.code) ? .refused : .failed
    case let error as OptionRefusal: self = ExitStatus(error.cause)
    case is RecordStoreError: self = .failed
    case let error as IdentityError: self = error.status == 400 ? .refused : .failed
    case let error as UserPoolError: self = error.status == 400 ? .refused : .failed
    case let error as SyncError: self = error.status < 500 ? .refused : .failed
    default: self = .failed
    }
  }
}
