public import AWSNames
public import TokenSecurityEncodings

/// Why there are no credentials.
@nonexhaustive public enum CredentialsError: CodedError, Equatable {
  /// None of the sources that were asked has any.
  case notFound(tried: [String])
  /// A file that is named cannot be read.
  case fileUnreadable(path: String, reason: String)
  /// A file is not of the form that it should have; lines count from 1.
  case fileMalformed(path: String, line: Int, reason: String)
  /// There is no profile of this name.
  case profileMissing(String)
  /// A profile lacks a setting that it needs.
  case profileIncomplete(profile: String, setting: String)
  /// Profiles name one another as their source.
  case profileCycle(String)
  /// A profile wants its credentials from a source that is not supported here.
  case profileUnsupported(profile: String, setting: String)
  /// The process that gives credentials cannot be started, ends with a failure, or takes too long.
  case processFailed(String)
  /// What the process writes is not what it should be.
  case processOutput(String)
  /// The file with the web identity's token is empty or no token.
  case tokenUnusable(path: String)
  /// The service that gives credentials cannot be reached.
  case serviceUnreachable(String)
  /// The service refused.
  case serviceRefused(status: Int, code: String)
  /// The service's answer cannot be read.
  case serviceResponse(String)
  /// The region is not one whose host names are known.
  case regionInvalid(AWSNameError)
  /// The credentials are there and cannot be used.
  case unusable(SigV4Error)

  /// A fault's stable code. A code never changes its meaning; new ones may come.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case notFound = "credentials_not_found"
    case fileUnreadable = "credentials_file_unreadable"
    case fileMalformed = "credentials_file_malformed"
    case profileMissing = "profile_missing"
    case profileIncomplete = "profile_incomplete"
    case profileCycle = "profile_cycle"
    case profileUnsupported = "profile_unsupported"
    case processFailed = "credential_process_failed"
    case processOutput = "credential_process_output"
    case tokenUnusable = "web_identity_token_unusable"
    case serviceUnreachable = "credentials_service_unreachable"
    case serviceRefused = "credentials_service_refused"
    case serviceResponse = "credentials_service_answer"
    case regionInvalid = "region_invalid"
    case unusable = "credentials_unusable"
  }
}

extension CredentialsError {
  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .notFound(let tried): (.notFound, "no credentials: \(tried.joined(separator: ", "))")
    case .fileUnreadable(let path, let reason): (.fileUnreadable, "\(path.visible(upTo: 256)): \(reason)")
    case .fileMalformed(let path, let line, let reason):
      (.fileMalformed, "\(path.visible(upTo: 256)), line \(line): \(reason)")
    case .profileMissing(let name): (.profileMissing, "there is no profile \(name.quoted)")
    case .profileIncomplete(let profile, let setting):
      (.profileIncomplete, "the profile \(profile.quoted) lacks \(setting)")
    case .profileCycle(let name): (.profileCycle, "the profile \(name.quoted) is its own source")
    case .profileUnsupported(let profile, let setting):
      (.profileUnsupported, "the profile \(profile.quoted) has \(setting), which is not supported")
    case .processFailed(let reason): (.processFailed, "the credential process \(reason.visible(upTo: 256))")
    case .processOutput(let reason):
      (.processOutput, "the credential process wrote something else than credentials: \(reason)")
    case .tokenUnusable(let path):
      (.tokenUnusable, "\(path.visible(upTo: 256)) has no token of a web identity")
    case .serviceUnreachable(let reason):
      (.serviceUnreachable, "the credentials service was not reached: \(reason.visible(upTo: 256))")
    case .regionInvalid(let error): (.regionInvalid, "\(error)")
    case .serviceRefused(let status, let code):
      (.serviceRefused, "the service that gives credentials refused: \(status), \(code.quoted)")
    case .serviceResponse(let reason):
      (.serviceResponse, "the answer of the service that gives credentials cannot be read: \(reason)")
    case .unusable(let error): (.unusable, "credentials that cannot be used: \(error)")
    }
  }
}
