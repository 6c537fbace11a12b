/// Returns an identity.
public enum DescribeIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DescribeIdentity", .developer(.reading, .identity("IdentityId")), "Returns an identity.", errors: .usual)

  /// The identity.
  public struct Input: Structure {
    /// The identity's id.
    public var identityID = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) { m.required("IdentityId", &identityID, .identityID) }
  }

  /// The identity.
  public typealias Output = IdentityDescription
}

/// An identity.
public struct IdentityDescription: Structure {
  /// The identity's id.
  public var identityID: String?
  /// The providers of its logins.
  public var providers: [String]?
  /// When it was made.
  public var created: Timestamp?
  /// When it was last changed.
  public var modified: Timestamp?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("IdentityId", &identityID, .identityID)
    m.optional("Logins", &providers, .providers)
    m.optional("CreationDate", &created)
    m.optional("LastModifiedDate", &modified)
  }
}

/// Lists the identities of a pool.
public enum ListIdentities: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListIdentities", .developer(.reading, .pool("IdentityPoolId")), "Lists the identities of a pool.",
    errors: .usual)

  /// Which page.
  public struct Input: Structure {
    /// The pool's id.
    public var poolID = ""
    /// The most identities in the page.
    public var maxResults: Int64 = 0
    /// The token of the previous page.
    public var nextToken: String?
    /// True where disabled identities are left out.
    public var hidesDisabled: Bool?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID)
      m.required("MaxResults", &maxResults, .pageSize)
      m.optional("NextToken", &nextToken, .nextToken)
      m.optional("HideDisabled", &hidesDisabled)
    }
  }

  /// A page of identities.
  public struct Output: Structure {
    /// The pool's id.
    public var poolID: String?
    /// The identities.
    public var identities: [IdentityDescription]?
    /// The token of the next page.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityPoolId", &poolID, .identityID)
      m.optional("Identities", &identities, .init())
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }
}

/// Removes identities.
public enum DeleteIdentities: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteIdentities", .developer(.administering, .identities("IdentityIdsToDelete")), "Removes identities.",
    errors: .common, changes: ["IdentityIdsToDelete"])

  /// The identities.
  public struct Input: Structure {
    /// Their ids.
    public var identityIDs: [String] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityIdsToDelete", &identityIDs, .identityIDs)
    }
  }

  /// The identities that were not removed.
  public struct Output: Structure {
    /// Their ids, each with the reason.
    public var unprocessed: [Unprocessed]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("UnprocessedIdentityIds", &unprocessed, .init(0...60))
    }
  }

  /// An identity that was not removed.
  public struct Unprocessed: Structure {
    /// Its id.
    public var identityID: String?
    /// The reason.
    public var reason: Reason?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityId", &identityID, .identityID)
      m.optional("ErrorCode", &reason)
    }
  }

  /// Why an identity was not removed.
  public enum Reason: ExactString, MemberChoice {
    /// There is none, or it may not be removed.
    case accessDenied = "AccessDenied"
    /// The service failed.
    case internalServerError = "InternalServerError"
  }
}
