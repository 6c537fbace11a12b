/// The mode of threat protection.
public struct UserPoolAddOnsType: Structure {
  /// The mode.
  public var advancedSecurityMode = AdvancedSecurityModeType.off
  /// The mode in custom flows.
  public var advancedSecurityAdditionalFlows: AdvancedSecurityAdditionalFlowsType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("AdvancedSecurityMode", &advancedSecurityMode)
    m.optional("AdvancedSecurityAdditionalFlows", &advancedSecurityAdditionalFlows)
  }
}

/// A mode of threat protection.
public enum AdvancedSecurityModeType: ExactString, MemberChoice {
  /// It is off.
  case off = "OFF"
  /// It observes.
  case audit = "AUDIT"
  /// It refuses sign-ins.
  case enforced = "ENFORCED"
}

/// The mode of threat protection in custom flows.
public struct AdvancedSecurityAdditionalFlowsType: Structure {
  /// The mode.
  public var customAuthMode: AdvancedSecurityEnabledModeType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("CustomAuthMode", &customAuthMode)
  }
}

/// A mode of threat protection in custom flows.
public enum AdvancedSecurityEnabledModeType: ExactString, MemberChoice {
  /// It observes.
  case audit = "AUDIT"
  /// It refuses sign-ins.
  case enforced = "ENFORCED"
}
