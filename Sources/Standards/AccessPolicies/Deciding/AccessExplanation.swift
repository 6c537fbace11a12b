internal import TokenSecurityBase

/// A decision with all statements that were compared: which apply, and why the others do not.
public struct AccessExplanation: Sendable {
  /// The decision.
  public let decision: AccessDecision
  /// The statements of all policies, in the order in which they were compared.
  public let statements: [StatementFinding]
}

/// A statement and how it relates to a request.
public struct StatementFinding: Sendable, Hashable {
  /// The statement.
  public let statement: StatementReference
  /// True if it allows, false if it denies.
  public let isAllow: Bool
  /// The elements that do not fit the request; empty where the statement applies. Conditions are listed where all other elements fit.
  public let mismatches: [ElementMismatch]
  /// The conditions that the request meets, where all other elements fit.
  public let metConditions: [MetCondition]
  /// The variables of the resources and conditions that were compared, with the values that were put in for them.
  public let variables: [VariableValue]

  /// True if the statement applies to the request.
  public var applies: Bool { mismatches.isEmpty }
}

/// A condition of a statement that a request meets.
public struct MetCondition: Sendable, Hashable {
  /// The operator and the key: `StringLike s3:prefix`.
  public let element: String
  /// True for an operator such as `StringNotEquals`, which is met by a value other than the expected ones.
  public let isNegated: Bool
  /// The values of the policy.
  public let expected: [String]
  /// The values of the request.
  public let actual: [String]
}

/// A policy variable and its value.
public struct VariableValue: Sendable, Hashable {
  /// The condition key that the variable names, in lower case.
  public let name: String
  /// The value of the request, or the default of the policy.
  public let value: String
}

/// An element of a statement that does not fit a request.
public struct ElementMismatch: Sendable, Hashable {
  /// The reasons, each with a stable code.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The statement does not name the caller.
    case principal = "access_principal_mismatch"
    /// The statement does not name the action.
    case action = "access_action_mismatch"
    /// The statement does not name the resource.
    case resource = "access_resource_mismatch"
    /// A condition's values do not fit.
    case condition = "access_condition_mismatch"
    /// The request lacks a condition's key.
    case keyMissing = "access_condition_key_missing"
    /// The request has a key that must be absent.
    case keyPresent = "access_condition_key_present"
    /// The request has several values of a key, and the operator needs a quantifier.
    case severalValues = "access_condition_values_several"
    /// A variable of the statement has no value.
    case variableMissing = "access_variable_missing"
  }

  /// The code.
  public let code: Code
  /// The element: `NotAction`, or an operator and a key such as `StringLike s3:prefix`.
  public let element: String
  /// True where none of the expected values may be the actual one: for `NotAction`, `StringNotEquals` and the like.
  public let isNegated: Bool
  /// The values of the policy.
  public let expected: [String]
  /// The values of the request.
  public let actual: [String]
  /// The variables without a value.
  public let missing: [String]
}
