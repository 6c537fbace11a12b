// Operations on identities: those of devices, and those of developers on any identity.

let identityOperations: [any ServiceOperation.Type] = [
  GetID.self, GetOpenIDToken.self, GetCredentialsForIdentity.self, UnlinkIdentity.self,
  DescribeIdentity.self, ListIdentities.self, DeleteIdentities.self,
]

/// Finds the identity of logins, or makes one.
public enum GetID: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetId", .anyone, "Finds the identity of logins, or makes a new one.",
    errors: .linking + [.limitExceeded, .externalService], changes: ["IdentityPoolId", "IdentityId"])

  /// The logins.
  public struct Input: Structure {
    /// The account that the pool must belong to.
    public var accountID: String?
    /// The pool's id.
    public var poolID = ""
    /// Tokens by provider.
    public var logins: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("AccountId", &accountID, .accountID)
      m.required("IdentityPoolId", &poolID, .identityID)
      m.optional("Logins", &logins, .logins)
    }
  }

  /// The identity.
  public struct Output: Structure {
    /// The identity's id.
    public var identityID: String?
    /// True where the identity existed, and the logins were linked to it. Not a member.
    public var changedNothing = false

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) { m.optional("IdentityId", &identityID, .identityID) }
  }
}

/// Issues a token for the basic flow.
public enum GetOpenIDToken: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetOpenIdToken", .anyone, "Issues a token for the basic flow.", errors: .linking + [.externalService],
    changes: ["IdentityId"])

  /// The identity and its logins.
  public struct Input: Structure {
    /// The identity's id.
    public var identityID = ""
    /// Tokens by provider.
    public var logins: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityId", &identityID, .identityID)
      m.optional("Logins", &logins, .logins)
    }
  }

  /// The identity and its token.
  public typealias Output = IdentityToken
}

/// An identity and its token.
public struct IdentityToken: Structure {
  /// The identity's id.
  public var identityID: String?
  /// The token, a compact JWS.
  public var token: String?
  /// True where the identity existed, and the logins were linked to it. Not a member.
  public var changedNothing = false

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("IdentityId", &identityID, .identityID)
    m.optional("Token", &token, .token)
  }
}

/// Issues temporary credentials.
public enum GetCredentialsForIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetCredentialsForIdentity", .anyone, "Issues temporary credentials of the pool's role.",
    errors: .linking + [.invalidConfiguration, .externalService], changes: ["IdentityId"])

  /// The identity and its logins.
  public struct Input: Structure {
    /// The identity's id.
    public var identityID = ""
    /// Tokens by provider.
    public var logins: [ExactString: String]?
    /// The ARN of one of the login's roles.
    public var customRoleARN: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityId", &identityID, .identityID)
      m.optional("Logins", &logins, .logins)
      m.optional("CustomRoleArn", &customRoleARN, .arn)
    }
  }

  /// The identity and its credentials.
  public struct Output: Structure {
    /// The identity's id.
    public var identityID: String?
    /// The credentials.
    public var credentials: IdentityCredentials?
    /// True where the logins were linked to the identity before. Not a member.
    public var changedNothing = false

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityId", &identityID, .identityID)
      m.optional("Credentials", &credentials)
    }
  }
}

/// Temporary credentials of an identity.
public struct IdentityCredentials: Structure {
  /// The id of the access key.
  public var accessKeyID: String?
  /// The secret access key.
  public var secretKey: SecretText?
  /// The session token.
  public var sessionToken: String?
  /// When they expire.
  public var expiration: Timestamp?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("AccessKeyId", &accessKeyID, .any)
    m.optional("SecretKey", &secretKey, .any.sensitive)
    m.optional("SessionToken", &sessionToken, .any)
    m.optional("Expiration", &expiration)
  }
}

/// Unlinks logins from an identity.
public enum UnlinkIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UnlinkIdentity", .anyone, "Unlinks public logins from an identity.",
    errors: .linking + [.externalService], changes: ["IdentityId"])

  /// The identity and its logins.
  public struct Input: Structure {
    /// The identity's id.
    public var identityID = ""
    /// Tokens by provider.
    public var logins: [ExactString: String] = [:]
    /// The providers whose logins are unlinked.
    public var providers: [String] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityId", &identityID, .identityID)
      m.required("Logins", &logins, .logins)
      m.required("LoginsToRemove", &providers, .providers)
    }
  }
}
