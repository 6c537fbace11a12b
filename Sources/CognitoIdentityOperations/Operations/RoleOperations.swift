// Operations on the roles of a pool.

let roleOperations: [any ServiceOperation.Type] = [SetIdentityPoolRoles.self, GetIdentityPoolRoles.self]

/// Sets a pool's roles.
public enum SetIdentityPoolRoles: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SetIdentityPoolRoles", .developer(.administering, .pool("IdentityPoolId")),
    "Sets the roles and role mappings of an identity pool.", errors: .linking + [.concurrentModification],
    changes: ["IdentityPoolId"])

  /// The roles.
  public struct Input: Structure {
    /// The pool's id.
    public var poolID = ""
    /// ARNs by kind: `authenticated`, `unauthenticated`.
    public var roles: [ExactString: String] = [:]
    /// Role mappings by provider.
    public var mappings: [ExactString: RoleMappingSettings]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID)
      m.required("Roles", &roles, .roles)
      m.optional("RoleMappings", &mappings, .roleMappings)
    }
  }
}

/// Returns a pool's roles.
public enum GetIdentityPoolRoles: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetIdentityPoolRoles", .developer(.reading, .pool("IdentityPoolId")),
    "Returns the roles and role mappings of an identity pool.", errors: .linking)

  /// The pool's id.
  public typealias Input = PoolName

  /// The roles.
  public struct Output: Structure {
    /// The pool's id.
    public var poolID: String?
    /// ARNs by kind.
    public var roles: [ExactString: String]?
    /// Role mappings by provider.
    public var mappings: [ExactString: RoleMappingSettings]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityPoolId", &poolID, .identityID)
      m.optional("Roles", &roles, .roles)
      m.optional("RoleMappings", &mappings, .roleMappings)
    }
  }
}

/// How a login's claims select a role.
public struct RoleMappingSettings: Structure {
  /// How the role is selected.
  public var kind = Kind.token
  /// What happens where no role, or more than one, matches.
  public var ambiguity: Ambiguity?
  /// The rules.
  public var rules: Rules?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Type", &kind)
    m.optional("AmbiguousRoleResolution", &ambiguity)
    m.optional("RulesConfiguration", &rules)
  }

  /// How the role is selected.
  public enum Kind: ExactString, MemberChoice {
    /// By the token's `cognito:roles`.
    case token = "Token"
    /// By rules.
    case rules = "Rules"
  }

  /// What happens where no role, or more than one, matches.
  public enum Ambiguity: ExactString, MemberChoice {
    /// The authenticated role.
    case authenticatedRole = "AuthenticatedRole"
    /// No role.
    case deny = "Deny"
  }

  /// A list of rules.
  public struct Rules: Structure {
    /// The rules, in the order in which they are tried.
    public var rules: [Rule] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) { m.required("Rules", &rules, .init(1...400)) }
  }

  /// A rule.
  public struct Rule: Structure, Hashable {
    /// The claim.
    public var claim = ""
    /// How the claim is compared.
    public var match = Match.equals
    /// The text that it is compared with.
    public var value = ""
    /// The role.
    public var roleARN = ""

    /// A value without members.
    public init() {}

    /// Makes a rule from its parts.
    public init(claim: String, match: Match, value: String, roleARN: String) {
      self.claim = claim
      self.match = match
      self.value = value
      self.roleARN = roleARN
    }

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("Claim", &claim, .claim)
      m.required("MatchType", &match)
      m.required("Value", &value, .claimValue)
      m.required("RoleARN", &roleARN, .arn)
    }

    /// How a claim is compared.
    public enum Match: ExactString, MemberChoice {
      /// The claim is the text.
      case equals = "Equals"
      /// The claim contains the text.
      case contains = "Contains"
      /// The claim begins with the text.
      case startsWith = "StartsWith"
      /// The claim is another text.
      case notEqual = "NotEqual"
    }
  }
}
