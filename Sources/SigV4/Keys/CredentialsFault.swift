internal import TokenSecurityEncodings

/// Why there are no credentials.
public enum CredentialsFault: Error, Equatable, Sendable {
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
  case serviceAnswer(String)
  /// The credentials are there and cannot be used.
  case unusable(SigV4Error)

  /// A fault's stable code. A code never changes its meaning; new ones may come.
  public enum Code: String, Sendable, Hashable, CaseIterable {
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
    case serviceAnswer = "credentials_service_answer"
    case unusable = "credentials_unusable"
  }

  /// The stable code of this fault.
  public var code: Code {
    switch self {
    case .notFound: .notFound
    case .fileUnreadable: .fileUnreadable
    case .fileMalformed: .fileMalformed
    case .profileMissing: .profileMissing
    case .profileIncomplete: .profileIncomplete
    case .profileCycle: .profileCycle
    case .profileUnsupported: .profileUnsupported
    case .processFailed: .processFailed
    case .processOutput: .processOutput
    case .tokenUnusable: .tokenUnusable
    case .serviceUnreachable: .serviceUnreachable
    case .serviceRefused: .serviceRefused
    case .serviceAnswer: .serviceAnswer
    case .unusable: .unusable
    }
  }
}

extension CredentialsFault: CustomStringConvertible {
  /// One sentence; never a secret, and of a file only the name and the line.
  public var description: String {
    switch self {
    case .notFound(let tried): "no credentials: \(tried.joined(separator: ", "))"
    case .fileUnreadable(let path, let reason): "\(path.visible(upTo: 256)): \(reason)"
    case .fileMalformed(let path, let line, let reason): "\(path.visible(upTo: 256)), line \(line): \(reason)"
    case .profileMissing(let name): "there is no profile \(name.quoted)"
    case .profileIncomplete(let profile, let setting): "the profile \(profile.quoted) lacks \(setting)"
    case .profileCycle(let name): "the profile \(name.quoted) is its own source"
    case .profileUnsupported(let profile, let setting):
      "the profile \(profile.quoted) wants its credentials by \(setting), which is not supported here"
    case .processFailed(let reason): "the credential process \(reason.visible(upTo: 256))"
    case .processOutput(let reason): "the credential process wrote something else than credentials: \(reason)"
    case .tokenUnusable(let path): "\(path.visible(upTo: 256)) has no token of a web identity"
    case .serviceUnreachable(let reason):
      "the service that gives credentials was not reached: \(reason.visible(upTo: 256))"
    case .serviceRefused(let status, let code):
      "the service that gives credentials refused: \(status), \(code.quoted)"
    case .serviceAnswer(let reason):
      "the answer of the service that gives credentials cannot be read: \(reason)"
    case .unusable(let error): "credentials that cannot be used: \(error)"
    }
  }
}
