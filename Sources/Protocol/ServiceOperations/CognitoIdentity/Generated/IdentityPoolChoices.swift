// Made by Tools/operations.py from the model of cognito-identity in botocore 1.44.8. Not edited by hand.

extension RoleMappingSettings {
  /// A choice of `RoleMappingType`.
  public enum Kind: ExactString, MemberChoice {
    /// By the token's `cognito:roles`.
    case token = "Token"
    /// The rules, in the order in which they are tried.
    case rules = "Rules"
  }
}

extension RoleMappingSettings {
  /// The result where no role, or more than one, matches.
  public enum Ambiguity: ExactString, MemberChoice {
    /// `AuthenticatedRole`.
    case authenticatedRole = "AuthenticatedRole"
    /// `Deny`.
    case deny = "Deny"
  }
}

extension DeleteIdentities {
  /// Why an identity was not removed.
  public enum Reason: ExactString, MemberChoice {
    /// There is none, or it may not be removed.
    case accessDenied = "AccessDenied"
    /// `InternalServerError`.
    case internalServerError = "InternalServerError"
  }
}

extension RoleMappingSettings.Rule {
  /// A choice of `MappingRuleMatchType`.
  public enum Match: ExactString, MemberChoice {
    /// `Equals`.
    case equals = "Equals"
    /// `Contains`.
    case contains = "Contains"
    /// `StartsWith`.
    case startsWith = "StartsWith"
    /// `NotEqual`.
    case notEqual = "NotEqual"
  }
}
