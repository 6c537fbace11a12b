public import TokenSecurityBase

/// Why a source returned no credentials.
@nonexhaustive public enum CredentialsError: CodedError, Equatable {
  /// No source has credentials; with one reason per source.
  case notFound(tried: [String])
  /// A file cannot be read.
  case fileUnreadable(path: String, reason: String)
  /// A file is malformed; the first line is 1.
  case fileMalformed(path: String, line: Int, reason: String)
  /// The profile does not exist.
  case profileMissing(String)
  /// A required setting is missing in a profile.
  case profileIncomplete(profile: String, setting: String)
  /// Profiles name each other as their source.
  case profileCycle(String)
  /// A profile has a setting that is not supported.
  case profileUnsupported(profile: String, setting: String)
  /// The `credential_process` cannot be started, fails, or takes too long.
  case processFailed(String)
  /// The output of the `credential_process` is malformed.
  case processOutput(String)
  /// The web identity token file is empty or does not contain a token.
  case tokenUnusable(path: String)
  /// The credentials service cannot be reached.
  case serviceUnreachable(String)
  /// The credentials service refused the request.
  case serviceRefused(status: Int, code: String)
  /// The response of the credentials service is malformed.
  case serviceResponse(String)
  /// The host names of the region are unknown.
  case regionInvalid(AWSNameError)
  /// The credentials cannot be used.
  case unusable(SigV4Error)

  /// Stable error codes. A code never changes its meaning; releases may add codes.
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
    case .profileMissing(let name): (.profileMissing, "the profile \(name.quoted) does not exist")
    case .profileIncomplete(let profile, let setting):
      (.profileIncomplete, "\(setting) is missing in the profile \(profile.quoted)")
    case .profileCycle(let name): (.profileCycle, "the profile \(name.quoted) is its own source")
    case .profileUnsupported(let profile, let setting):
      (.profileUnsupported, "the profile \(profile.quoted) has \(setting), which is not supported")
    case .processFailed(let reason): (.processFailed, "the credential process \(reason.visible(upTo: 256))")
    case .processOutput(let reason):
      (.processOutput, "the output of the credential process is malformed: \(reason)")
    case .tokenUnusable(let path):
      (.tokenUnusable, "\(path.visible(upTo: 256)) does not contain a web identity token")
    case .serviceUnreachable(let reason):
      (.serviceUnreachable, "the credentials service was not reached: \(reason.visible(upTo: 256))")
    case .regionInvalid(let error): (.regionInvalid, "\(error)")
    case .serviceRefused(let status, let code):
      (.serviceRefused, "the credentials service refused the request: \(status), \(code.quoted)")
    case .serviceResponse(let reason):
      (.serviceResponse, "the response of the credentials service is malformed: \(reason)")
    case .unusable(let error): (.unusable, "the credentials cannot be used: \(error)")
    }
  }
}
