internal import TokenSecurityBase

/// Why a request names no action and resource. It is refused.
@nonexhaustive package enum AccessMappingError: CodedError {
  /// Programs read the path in different ways, so that policies and the application could mean different resources.
  case pathAmbiguous(segment: Int, rule: String)
  /// A parameter of the query occurs twice, is no UTF-8, or has a semicolon, at which some programs end it.
  case queryAmbiguous(name: String)
  /// No action is set for such requests.
  case unmapped(String)
  /// A template cannot be used.
  case templateInvalid(rule: String)

  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive package enum Code: String, Sendable, Hashable, CaseIterable {
    case pathAmbiguous = "access_path_ambiguous"
    case queryAmbiguous = "access_query_ambiguous"
    case unmapped = "access_unmapped"
    case templateInvalid = "access_template_invalid"
  }

  package var details: (code: Code, sentence: String) {
    switch self {
    case .pathAmbiguous(let segment, let rule): (.pathAmbiguous, "segment \(segment) of the path \(rule)")
    case .queryAmbiguous(let name):
      (
        .queryAmbiguous,
        "the parameter \(name.quoted) of the query occurs twice, is not UTF-8, or has a semicolon that is not encoded"
      )
    case .unmapped(let reason): (.unmapped, "the request has no action: \(reason)")
    case .templateInvalid(let rule): (.templateInvalid, rule)
    }
  }
}
