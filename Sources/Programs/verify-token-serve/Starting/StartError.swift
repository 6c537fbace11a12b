internal import OpenIDConnect
internal import TokenSecurityBase

/// Why the sidecar does not start.
enum StartError: CodedError {
  /// The file cannot be read.
  case fileUnusable(path: String, reason: String)
  /// The configuration is refused.
  case configuration(path: String, PolicyDocumentError)
  /// The address cannot be bound.
  case addressUnusable(String, reason: String)
  /// The server ended with another error.
  case failed(String)

  enum Code: String, Sendable, CaseIterable {
    case fileUnusable = "file_unusable"
    case configuration = "configuration_refused"
    case addressUnusable = "address_unusable"
    case failed = "failed"
  }

  var details: (code: Code, sentence: String) {
    switch self {
    case .fileUnusable(let path, let reason): (.fileUnusable, "\(path.quoted) cannot be read: \(reason)")
    case .configuration(let path, let error): (.configuration, "\(path.quoted): \(error)")
    case .addressUnusable(let address, let reason):
      (.addressUnusable, "cannot listen on \(address): \(reason)")
    case .failed(let reason): (.failed, reason)
    }
  }

  /// The code of the configuration's error, if there is one.
  var codeText: String {
    if case .configuration(_, let error) = self { error.codeText } else { code.rawValue }
  }
}
