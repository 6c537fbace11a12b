/// AWS's Security Token Service, as far as identity pools need it.
public let securityTokenService = ServiceDeclaration(
  "AWS Security Token Service", signingName: "sts",
  .query(version: "2011-06-15", namespace: "https://sts.amazonaws.com/doc/2011-06-15/"),
  [AssumeRoleWithWebIdentity.self, GetCallerIdentity.self])

/// Issues a role's credentials for a web identity's token.
public enum AssumeRoleWithWebIdentity: ServiceOperation {
  /// The declaration. A member that is ignored, a session policy for instance, would grant too much.
  public static let declaration = OperationDeclaration(
    "AssumeRoleWithWebIdentity", .anyone, "Issues a role's credentials for a web identity's token.",
    errors: [.invalidIdentityToken, .expiredToken, .accessDenied, .throttling, .internalFailure],
    refusesUnknownMembers: true)

  /// The role and the token.
  public struct Input: Structure {
    /// The role's ARN.
    public var roleARN = ""
    /// The session's name.
    public var sessionName = ""
    /// The token, a compact JWS.
    public var token = ""
    /// The session's length in seconds.
    public var duration: Int64?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("RoleArn", &roleARN, .roleARN)
      m.required("RoleSessionName", &sessionName, .sessionName)
      m.required("WebIdentityToken", &token, .webIdentityToken)
      m.optional("DurationSeconds", &duration, .integer(900...43_200))
    }
  }

  /// The credentials and whom they are for.
  public struct Output: Structure {
    /// The token's subject.
    public var subject: String?
    /// The token's audience.
    public var audience: String?
    /// The token's provider.
    public var provider: String?
    /// The session.
    public var user: AssumedRoleUser?
    /// The credentials.
    public var credentials: SessionCredentials?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("SubjectFromWebIdentityToken", &subject, TextBounds(6...255))
      m.optional("Audience", &audience, .any)
      m.optional("Provider", &provider, .any)
      m.optional("AssumedRoleUser", &user)
      m.optional("Credentials", &credentials)
    }
  }
}

/// A session of a role.
public struct AssumedRoleUser: Structure {
  /// The session's ARN.
  public var arn = ""
  /// The session's id.
  public var id = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Arn", &arn, TextBounds(20...2_048))
    m.required("AssumedRoleId", &id, TextBounds(2...193, #"[\w+=,.@:-]*"#))
  }
}

/// Temporary credentials.
public struct SessionCredentials: Structure {
  /// The id of the access key.
  public var accessKeyID = ""
  /// The secret access key.
  public var secretAccessKey = SecretText()
  /// The session token.
  public var sessionToken = ""
  /// When they expire.
  public var expiration = Timestamp.earliest

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("AccessKeyId", &accessKeyID, TextBounds(16...128, #"[\w]*"#))
    m.required("SecretAccessKey", &secretAccessKey, .any.sensitive)
    m.required("SessionToken", &sessionToken, .any)
    m.required("Expiration", &expiration)
  }
}

/// Reports the caller.
public enum GetCallerIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetCallerIdentity", .developerOrIdentity(.reading, .caller), "Reports who signed the call.",
    errors: [.accessDenied, .throttling, .internalFailure])

  /// The caller.
  public struct Output: Structure {
    /// The caller's ARN.
    public var arn: String?
    /// The caller's id.
    public var userID: String?
    /// The account.
    public var account: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Arn", &arn, TextBounds(20...2_048))
      m.optional("UserId", &userID, .any)
      m.optional("Account", &account, .any)
    }
  }
}
