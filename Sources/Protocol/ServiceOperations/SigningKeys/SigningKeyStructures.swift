/// A public key of SigV4A, a point on P-256.
public struct SessionPublicKey: Structure {
  /// The x coordinate, 32 bytes, big-endian.
  public var x = Blob()
  /// The y coordinate, 32 bytes, big-endian.
  public var y = Blob()

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("X", &x, BlobBounds(32...32))
    m.required("Y", &y, BlobBounds(32...32))
  }
}

/// A session whose token was opened: who makes its requests.
public struct VerifiedSession: Structure {
  /// The principal: the session of a role, or the user of an access key.
  public var arn = ""
  /// `aws:userid` in policies.
  public var userID = ""
  /// The account.
  public var account = ""
  /// The role; nil for a session of an access key.
  public var roleARN: String?
  /// The session's name; nil for a session of an access key.
  public var sessionName: String?
  /// The identity; nil for a session without one.
  public var identityID: String?
  /// The identity's pool; nil for a session without one.
  public var poolID: String?
  /// How the identity signed in.
  public var methods: [String]?
  /// The session's tags.
  public var tags: [ExactString: String]?
  /// Who acts, as the first caller of `AssumeRole` said.
  public var sourceIdentity: String?
  /// When the session began; for one of an earlier version of the service the earliest time at which it can have begun.
  public var issued: Timestamp?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Arn", &arn, .any)
    m.required("UserId", &userID, .any)
    m.required("Account", &account, .any)
    m.optional("RoleArn", &roleARN, .any)
    m.optional("SessionName", &sessionName, .any)
    m.optional("IdentityId", &identityID, .any)
    m.optional("IdentityPoolId", &poolID, .any)
    m.optional("AuthenticationMethods", &methods, ListBounds(of: .any))
    m.optional("Tags", &tags, MapBounds(keys: .any, values: .any))
    m.optional("SourceIdentity", &sourceIdentity, .any)
    m.optional("IssueTime", &issued)
  }
}

/// A permission policy by its name.
public struct SessionPolicyDocument: Structure {
  /// The name, or the ARN of a managed policy.
  public var name = ""
  /// The document's JSON.
  public var document = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Name", &name, .any)
    m.required("Document", &document, .any)
  }
}
