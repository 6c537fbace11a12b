// Operations for a developer's own users.

let developerOperations: [any ServiceOperation.Type] = [
  GetOpenIDTokenForDeveloperIdentity.self, LookupDeveloperIdentity.self, MergeDeveloperIdentities.self,
  UnlinkDeveloperIdentity.self,
]

/// Issues a token for a user of the developer's.
public enum GetOpenIDTokenForDeveloperIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetOpenIdTokenForDeveloperIdentity", .developer(.issuing, .pool("IdentityPoolId")),
    "Issues a token for a user of the developer's own provider.", errors: .linking + [.developerUserTaken],
    changes: ["IdentityPoolId", "IdentityId"])

  /// The user.
  public struct Input: Structure {
    /// The pool's id.
    public var poolID = ""
    /// An identity to link the logins to.
    public var identityID: String?
    /// The user's identifier by the developer's provider, and tokens by public providers.
    public var logins: [ExactString: String] = [:]
    /// Session tags.
    public var principalTags: [ExactString: String]?
    /// The token's lifetime in seconds.
    public var duration: Int64?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID)
      m.optional("IdentityId", &identityID, .identityID)
      m.required("Logins", &logins, .logins)
      m.optional("PrincipalTags", &principalTags, .principalTags)
      m.optional("TokenDuration", &duration, .tokenDuration)
    }
  }

  /// The identity and its token.
  public typealias Output = IdentityToken
}

/// Finds the identity of a developer's user, or the users of an identity.
public enum LookupDeveloperIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "LookupDeveloperIdentity", .developer(.reading, .pool("IdentityPoolId")),
    "Finds the identity of a developer's user, or the users of an identity.", errors: .linking)

  /// The identity or the user.
  public struct Input: Structure {
    /// The pool's id.
    public var poolID = ""
    /// The identity's id.
    public var identityID: String?
    /// The user's identifier.
    public var user: String?
    /// The most users in the page.
    public var maxResults: Int64?
    /// The token of the previous page.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID)
      m.optional("IdentityId", &identityID, .identityID)
      m.optional("DeveloperUserIdentifier", &user, .developerUser)
      m.optional("MaxResults", &maxResults, .pageSize)
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }

  /// The identity and a page of its users.
  public struct Output: Structure {
    /// The identity's id.
    public var identityID: String?
    /// The users' identifiers.
    public var users: [String]?
    /// The token of the next page.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityId", &identityID, .identityID)
      m.optional("DeveloperUserIdentifierList", &users, .init(of: .developerUser))
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }
}

/// Merges the identities of two users.
public enum MergeDeveloperIdentities: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "MergeDeveloperIdentities", .developer(.administering, .pool("IdentityPoolId")),
    "Merges the identity of one developer's user into that of another.", errors: .linking,
    changes: ["IdentityPoolId", "IdentityId"])

  /// The users.
  public struct Input: Structure {
    /// The user whose identity is merged.
    public var source = ""
    /// The user whose identity stays.
    public var destination = ""
    /// The developer's provider.
    public var provider = ""
    /// The pool's id.
    public var poolID = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("SourceUserIdentifier", &source, .developerUser)
      m.required("DestinationUserIdentifier", &destination, .developerUser)
      m.required("DeveloperProviderName", &provider, .developerProvider)
      m.required("IdentityPoolId", &poolID, .identityID)
    }
  }

  /// The identity that stays.
  public typealias Output = GetID.Output
}

/// Unlinks a developer's user from an identity.
public enum UnlinkDeveloperIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UnlinkDeveloperIdentity", .developer(.administering, .pool("IdentityPoolId")),
    "Unlinks a developer's user from an identity.", errors: .linking,
    changes: ["IdentityPoolId", "IdentityId"])

  /// The identity and the user.
  public struct Input: Structure {
    /// The identity's id.
    public var identityID = ""
    /// The pool's id.
    public var poolID = ""
    /// The developer's provider.
    public var provider = ""
    /// The user's identifier.
    public var user = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityId", &identityID, .identityID)
      m.required("IdentityPoolId", &poolID, .identityID)
      m.required("DeveloperProviderName", &provider, .developerProvider)
      m.required("DeveloperUserIdentifier", &user, .developerUser)
    }
  }
}
