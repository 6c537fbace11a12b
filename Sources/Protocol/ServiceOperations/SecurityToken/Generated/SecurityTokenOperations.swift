// Made by Tools/operations.py from the model of sts in botocore 1.44.8. Not edited by hand.

/// Issues a role's credentials for a web identity's token.
public enum AssumeRoleWithWebIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AssumeRoleWithWebIdentity", .anyone, "Issues a role's credentials for a web identity's token.",
    errors: [
      .malformedPolicyDocument, .packedPolicyTooLarge, .invalidIdentityToken, .expiredToken, .accessDenied,
      .throttling, .internalFailure,
    ], refusesUnknownMembers: true)

  /// The request.
  public struct Input: Structure {
    /// `RoleArn`, required: 20 to 2048 characters.
    public var roleARN = ""
    /// `RoleSessionName`, required: 2 to 64 characters.
    public var sessionName = ""
    /// The token, a compact JWS.
    public var token = ""
    /// Managed policies, which limit what the role's policies allow.
    public var policies: [SessionPolicyReference]?
    /// A session policy, which limits what the role's policies allow.
    public var policy: String?
    /// The session's length in seconds.
    public var duration: Int64?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("RoleArn", &roleARN, .roleARN)
      m.required("RoleSessionName", &sessionName, .sessionName)
      m.required("WebIdentityToken", &token, .webIdentityToken)
      m.optional("PolicyArns", &policies, .init(0...10))
      m.optional("Policy", &policy, .sessionPolicy)
      m.optional("DurationSeconds", &duration, .integer(900...43_200))
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `Credentials`.
    public var credentials: SessionCredentials?
    /// `SubjectFromWebIdentityToken`: 6 to 255 characters.
    public var subject: String?
    /// A session of a role.
    public var user: AssumedRoleUser?
    /// The session token's share of its greatest size, in percent.
    public var packedPolicySize: Int64?
    /// `Provider`.
    public var provider: String?
    /// `Audience`.
    public var audience: String?
    /// The session token's share of its greatest size, in percent.
    public var sessionTokenUtilization: Int64?
    /// The session token's size in bytes.
    public var sessionTokenSize: Int64?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Credentials", &credentials)
      m.optional("SubjectFromWebIdentityToken", &subject, .webIdentitySubject)
      m.optional("AssumedRoleUser", &user)
      m.optional("PackedPolicySize", &packedPolicySize, .integer(0...))
      m.optional("Provider", &provider, .any)
      m.optional("Audience", &audience, .any)
      m.optional("SessionTokenUtilization", &sessionTokenUtilization, .integer(0...))
      m.optional("SessionTokenSize", &sessionTokenSize, .integer(0...))
    }
  }
}

/// Issues a role's credentials for one who signs the call.
public enum AssumeRole: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AssumeRole", .developerOrIdentity(.issuing, .role("RoleArn")),
    "Issues a role's credentials for one who signs the call.",
    errors: [.malformedPolicyDocument, .packedPolicyTooLarge, .accessDenied, .throttling, .internalFailure],
    changes: ["RoleArn", "RoleSessionName", "SourceIdentity", "Credentials.AccessKeyId"],
    refusesUnknownMembers: true)

  /// The request.
  public struct Input: Structure {
    /// `RoleArn`, required: 20 to 2048 characters.
    public var roleARN = ""
    /// `RoleSessionName`, required: 2 to 64 characters.
    public var sessionName = ""
    /// Managed policies, which limit what the role's policies allow.
    public var policies: [SessionPolicyReference]?
    /// A session policy, which limits what the role's policies allow.
    public var policy: String?
    /// The session's length in seconds.
    public var duration: Int64?
    /// `Tags`: 0 to 50 elements.
    public var tags: [SessionTag]?
    /// `sts:ExternalId` in trust policies.
    public var externalID: String?
    /// Who acts, as the caller says: `aws:SourceIdentity` in policies.
    public var sourceIdentity: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("RoleArn", &roleARN, .roleARN)
      m.required("RoleSessionName", &sessionName, .sessionName)
      m.optional("PolicyArns", &policies, .init(0...10))
      m.optional("Policy", &policy, .sessionPolicy)
      m.optional("DurationSeconds", &duration, .integer(900...43_200))
      m.optional("Tags", &tags, .init(0...50))
      m.optional("ExternalId", &externalID, .externalID)
      m.optional("SourceIdentity", &sourceIdentity, .sourceIdentity)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `Credentials`.
    public var credentials: SessionCredentials?
    /// A session of a role.
    public var user: AssumedRoleUser?
    /// The session token's share of its greatest size, in percent.
    public var packedPolicySize: Int64?
    /// Who acts, as the caller says: `aws:SourceIdentity` in policies.
    public var sourceIdentity: String?
    /// The session token's share of its greatest size, in percent.
    public var sessionTokenUtilization: Int64?
    /// The session token's size in bytes.
    public var sessionTokenSize: Int64?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Credentials", &credentials)
      m.optional("AssumedRoleUser", &user)
      m.optional("PackedPolicySize", &packedPolicySize, .integer(0...))
      m.optional("SourceIdentity", &sourceIdentity, .sourceIdentity)
      m.optional("SessionTokenUtilization", &sessionTokenUtilization, .integer(0...))
      m.optional("SessionTokenSize", &sessionTokenSize, .integer(0...))
    }
  }
}

/// Issues temporary credentials with the rights of an access key.
public enum GetSessionToken: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetSessionToken", .developer(.issuing, .session),
    "Issues temporary credentials with the rights of an access key.",
    errors: [.accessDenied, .throttling, .internalFailure], changes: ["Credentials.AccessKeyId"],
    refusesUnknownMembers: true)

  /// The request.
  public struct Input: Structure {
    /// The session's length in seconds.
    public var duration: Int64?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("DurationSeconds", &duration, .integer(900...86_400))
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `Credentials`.
    public var credentials: SessionCredentials?
    /// The session token's share of its greatest size, in percent.
    public var sessionTokenUtilization: Int64?
    /// The session token's size in bytes.
    public var sessionTokenSize: Int64?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Credentials", &credentials)
      m.optional("SessionTokenUtilization", &sessionTokenUtilization, .integer(0...))
      m.optional("SessionTokenSize", &sessionTokenSize, .integer(0...))
    }
  }
}

/// Reports who signed the call.
public enum GetCallerIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetCallerIdentity", .developerOrIdentity(.reading, .caller), "Reports who signed the call.",
    errors: [.accessDenied, .throttling, .internalFailure])

  /// The response.
  public struct Output: Structure {
    /// `UserId`.
    public var userID: String?
    /// `Account`.
    public var account: String?
    /// `Arn`: 20 to 2048 characters.
    public var arn: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("UserId", &userID, .any)
      m.optional("Account", &account, .any)
      m.optional("Arn", &arn, .serviceARN)
    }
  }
}

extension ErrorDeclaration {
  fileprivate static let accessDenied = ErrorDeclaration("AccessDenied", status: 403)
  fileprivate static let expiredToken = ErrorDeclaration("ExpiredTokenException")
  fileprivate static let internalFailure = ErrorDeclaration("InternalFailure", status: 500)
  fileprivate static let invalidIdentityToken = ErrorDeclaration("InvalidIdentityToken")
  fileprivate static let malformedPolicyDocument = ErrorDeclaration("MalformedPolicyDocument")
  fileprivate static let packedPolicyTooLarge = ErrorDeclaration("PackedPolicyTooLarge")
  fileprivate static let throttling = ErrorDeclaration("Throttling")
}
