// Made by Tools/operations.py from the model of cognito-identity in botocore 1.44.8. Not edited by hand.

/// Makes an identity pool.
public enum CreateIdentityPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "CreateIdentityPool", .developer(.administering, .all), "Makes an identity pool.",
    errors: [
      .invalidParameter, .notAuthorized, .resourceConflict, .tooManyRequests, .internalError, .limitExceeded,
    ], changes: ["IdentityPoolId"])

  /// The request.
  public typealias Input = PoolSettings

  /// The response.
  public typealias Output = PoolDescription
}

/// Replaces the settings of an identity pool.
public enum UpdateIdentityPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateIdentityPool", .developer(.administering, .pool("IdentityPoolId")),
    "Replaces the settings of an identity pool.",
    errors: [
      .invalidParameter, .resourceNotFound, .notAuthorized, .resourceConflict, .tooManyRequests,
      .internalError, .concurrentModification, .limitExceeded,
    ], changes: ["IdentityPoolId"])

  /// The request.
  public typealias Input = PoolDescription

  /// The response.
  public typealias Output = PoolDescription
}

/// Returns an identity pool.
public enum DescribeIdentityPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DescribeIdentityPool", .developer(.reading, .pool("IdentityPoolId")), "Returns an identity pool.",
    errors: [.invalidParameter, .resourceNotFound, .notAuthorized, .tooManyRequests, .internalError])

  /// The request.
  public typealias Input = PoolName

  /// The response.
  public typealias Output = PoolDescription
}

/// Removes an identity pool with its identities.
public enum DeleteIdentityPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteIdentityPool", .developer(.administering, .pool("IdentityPoolId")),
    "Removes an identity pool with its identities.",
    errors: [.invalidParameter, .resourceNotFound, .notAuthorized, .tooManyRequests, .internalError],
    changes: ["IdentityPoolId"])

  /// The request.
  public typealias Input = PoolName
}

/// Lists identity pools.
public enum ListIdentityPools: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListIdentityPools", .developer(.reading, .all), "Lists identity pools.",
    errors: [.invalidParameter, .notAuthorized, .tooManyRequests, .resourceNotFound, .internalError])

  /// The request.
  public struct Input: Structure {
    /// Maximum number of elements of the page.
    public var maxResults: Int64 = 0
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("MaxResults", &maxResults, .pageSize)
      m.optional("NextToken", &nextToken, .identityPageToken)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `IdentityPools`.
    public var pools: [ListIdentityPools.Summary]?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityPools", &pools, .init())
      m.optional("NextToken", &nextToken, .identityPageToken)
    }
  }
}

/// Sets the roles and role mappings of an identity pool.
public enum SetIdentityPoolRoles: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SetIdentityPoolRoles", .developer(.administering, .pool("IdentityPoolId")),
    "Sets the roles and role mappings of an identity pool.",
    errors: [
      .invalidParameter, .resourceNotFound, .notAuthorized, .resourceConflict, .tooManyRequests,
      .internalError, .concurrentModification,
    ], changes: ["IdentityPoolId"])

  /// The request.
  public struct Input: Structure {
    /// `IdentityPoolId`, required: 1 to 55 characters.
    public var poolID = ""
    /// ARNs by kind: `authenticated`, `unauthenticated`.
    public var roles: [ExactString: String] = [:]
    /// `RoleMappings`: 0 to 10 entries.
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

/// Returns the roles and role mappings of an identity pool.
public enum GetIdentityPoolRoles: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetIdentityPoolRoles", .developer(.reading, .pool("IdentityPoolId")),
    "Returns the roles and role mappings of an identity pool.",
    errors: [
      .invalidParameter, .resourceNotFound, .notAuthorized, .resourceConflict, .tooManyRequests,
      .internalError,
    ])

  /// The request.
  public typealias Input = PoolName

  /// The response.
  public struct Output: Structure {
    /// `IdentityPoolId`: 1 to 55 characters.
    public var poolID: String?
    /// ARNs by kind: `authenticated`, `unauthenticated`.
    public var roles: [ExactString: String]?
    /// `RoleMappings`: 0 to 10 entries.
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

/// Finds the identity of logins, or makes a new one.
public enum GetID: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetId", .anyone, "Finds the identity of logins, or makes a new one.",
    errors: [
      .invalidParameter, .resourceNotFound, .notAuthorized, .resourceConflict, .tooManyRequests,
      .internalError, .limitExceeded, .externalService,
    ], changes: ["IdentityPoolId", "IdentityId"])

  /// The request.
  public struct Input: Structure {
    /// The account that the pool must belong to.
    public var accountID: String?
    /// `IdentityPoolId`, required: 1 to 55 characters.
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

  /// The response.
  public struct Output: Structure {
    /// `IdentityId`: 1 to 55 characters.
    public var identityID: String?
    /// True where the identity existed, and the logins were linked to it. It is no member.
    public var changedNothing = false

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityId", &identityID, .identityID)
    }
  }
}

/// Issues a token for the basic flow.
public enum GetOpenIDToken: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetOpenIdToken", .anyone, "Issues a token for the basic flow.",
    errors: [
      .invalidParameter, .resourceNotFound, .notAuthorized, .resourceConflict, .tooManyRequests,
      .internalError, .externalService,
    ], changes: ["IdentityId"])

  /// The request.
  public struct Input: Structure {
    /// `IdentityId`, required: 1 to 55 characters.
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

  /// The response.
  public typealias Output = IdentityToken
}

/// Issues temporary credentials of the pool's role.
public enum GetCredentialsForIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetCredentialsForIdentity", .anyone, "Issues temporary credentials of the pool's role.",
    errors: [
      .invalidParameter, .resourceNotFound, .notAuthorized, .resourceConflict, .tooManyRequests,
      .invalidIdentityPoolConfiguration, .internalError, .externalService,
    ], changes: ["IdentityId"])

  /// The request.
  public struct Input: Structure {
    /// `IdentityId`, required: 1 to 55 characters.
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
      m.optional("CustomRoleArn", &customRoleARN, .resourceARN)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `IdentityId`: 1 to 55 characters.
    public var identityID: String?
    /// `Credentials`.
    public var credentials: IdentityCredentials?
    /// True where the logins were linked to the identity before. It is no member.
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

/// Unlinks public logins from an identity.
public enum UnlinkIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UnlinkIdentity", .anyone, "Unlinks public logins from an identity.",
    errors: [
      .invalidParameter, .resourceNotFound, .notAuthorized, .resourceConflict, .tooManyRequests,
      .internalError, .externalService,
    ], changes: ["IdentityId"])

  /// The request.
  public struct Input: Structure {
    /// `IdentityId`, required: 1 to 55 characters.
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
      m.required("LoginsToRemove", &providers, .init(of: .provider))
    }
  }
}

/// Returns an identity.
public enum DescribeIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DescribeIdentity", .developer(.reading, .identity("IdentityId")), "Returns an identity.",
    errors: [.invalidParameter, .resourceNotFound, .notAuthorized, .tooManyRequests, .internalError])

  /// The request.
  public struct Input: Structure {
    /// `IdentityId`, required: 1 to 55 characters.
    public var identityID = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityId", &identityID, .identityID)
    }
  }

  /// The response.
  public typealias Output = IdentityDescription
}

/// Lists the identities of a pool.
public enum ListIdentities: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListIdentities", .developer(.reading, .pool("IdentityPoolId")), "Lists the identities of a pool.",
    errors: [.invalidParameter, .resourceNotFound, .notAuthorized, .tooManyRequests, .internalError])

  /// The request.
  public struct Input: Structure {
    /// `IdentityPoolId`, required: 1 to 55 characters.
    public var poolID = ""
    /// Maximum number of elements of the page.
    public var maxResults: Int64 = 0
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?
    /// True where disabled identities are left out.
    public var hidesDisabled: Bool?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID)
      m.required("MaxResults", &maxResults, .pageSize)
      m.optional("NextToken", &nextToken, .identityPageToken)
      m.optional("HideDisabled", &hidesDisabled)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `IdentityPoolId`: 1 to 55 characters.
    public var poolID: String?
    /// `Identities`.
    public var identities: [IdentityDescription]?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityPoolId", &poolID, .identityID)
      m.optional("Identities", &identities, .init())
      m.optional("NextToken", &nextToken, .identityPageToken)
    }
  }
}

/// Removes identities.
public enum DeleteIdentities: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteIdentities", .developer(.administering, .identities("IdentityIdsToDelete")), "Removes identities.",
    errors: [.invalidParameter, .tooManyRequests, .internalError], changes: ["IdentityIdsToDelete"])

  /// The request.
  public struct Input: Structure {
    /// `IdentityIdsToDelete`, required: 1 to 60 elements.
    public var identityIDs: [String] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityIdsToDelete", &identityIDs, .identityIDs)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `UnprocessedIdentityIds`: 0 to 60 elements.
    public var unprocessed: [DeleteIdentities.Unprocessed]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("UnprocessedIdentityIds", &unprocessed, .init(0...60))
    }
  }
}

/// Issues a token for a user of the developer's own provider.
public enum GetOpenIDTokenForDeveloperIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetOpenIdTokenForDeveloperIdentity", .developer(.issuing, .pool("IdentityPoolId")),
    "Issues a token for a user of the developer's own provider.",
    errors: [
      .invalidParameter, .resourceNotFound, .notAuthorized, .resourceConflict, .tooManyRequests,
      .internalError, .developerUserAlreadyRegistered,
    ], changes: ["IdentityPoolId", "IdentityId"])

  /// The request.
  public struct Input: Structure {
    /// `IdentityPoolId`, required: 1 to 55 characters.
    public var poolID = ""
    /// `IdentityId`: 1 to 55 characters.
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
      m.optional("TokenDuration", &duration, .long(1...86_400))
    }
  }

  /// The response.
  public typealias Output = IdentityToken
}

/// Finds the identity of a developer's user, or the users of an identity.
public enum LookupDeveloperIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "LookupDeveloperIdentity", .developer(.reading, .pool("IdentityPoolId")),
    "Finds the identity of a developer's user, or the users of an identity.",
    errors: [
      .invalidParameter, .resourceNotFound, .notAuthorized, .resourceConflict, .tooManyRequests,
      .internalError,
    ])

  /// The request.
  public struct Input: Structure {
    /// `IdentityPoolId`, required: 1 to 55 characters.
    public var poolID = ""
    /// `IdentityId`: 1 to 55 characters.
    public var identityID: String?
    /// `DeveloperUserIdentifier`: 1 to 1024 characters.
    public var user: String?
    /// Maximum number of elements of the page.
    public var maxResults: Int64?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID)
      m.optional("IdentityId", &identityID, .identityID)
      m.optional("DeveloperUserIdentifier", &user, .developerUser)
      m.optional("MaxResults", &maxResults, .pageSize)
      m.optional("NextToken", &nextToken, .identityPageToken)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `IdentityId`: 1 to 55 characters.
    public var identityID: String?
    /// `DeveloperUserIdentifierList`.
    public var users: [String]?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityId", &identityID, .identityID)
      m.optional("DeveloperUserIdentifierList", &users, .init(of: .developerUser))
      m.optional("NextToken", &nextToken, .identityPageToken)
    }
  }
}

/// Merges the identity of one developer's user into that of another.
public enum MergeDeveloperIdentities: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "MergeDeveloperIdentities", .developer(.administering, .pool("IdentityPoolId")),
    "Merges the identity of one developer's user into that of another.",
    errors: [
      .invalidParameter, .resourceNotFound, .notAuthorized, .resourceConflict, .tooManyRequests,
      .internalError,
    ], changes: ["IdentityPoolId", "IdentityId"])

  /// The request.
  public struct Input: Structure {
    /// The user whose identity is merged.
    public var source = ""
    /// The user whose identity stays.
    public var destination = ""
    /// `DeveloperProviderName`, required: 1 to 128 characters.
    public var provider = ""
    /// `IdentityPoolId`, required: 1 to 55 characters.
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

  /// The response.
  public typealias Output = GetID.Output
}

/// Unlinks a developer's user from an identity.
public enum UnlinkDeveloperIdentity: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UnlinkDeveloperIdentity", .developer(.administering, .pool("IdentityPoolId")),
    "Unlinks a developer's user from an identity.",
    errors: [
      .invalidParameter, .resourceNotFound, .notAuthorized, .resourceConflict, .tooManyRequests,
      .internalError,
    ], changes: ["IdentityPoolId", "IdentityId"])

  /// The request.
  public struct Input: Structure {
    /// `IdentityId`, required: 1 to 55 characters.
    public var identityID = ""
    /// `IdentityPoolId`, required: 1 to 55 characters.
    public var poolID = ""
    /// `DeveloperProviderName`, required: 1 to 128 characters.
    public var provider = ""
    /// `DeveloperUserIdentifier`, required: 1 to 1024 characters.
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

/// Adds or replaces tags of a pool.
public enum TagResource: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "TagResource", .developer(.administering, .resource("ResourceArn")), "Adds or replaces tags of a pool.",
    errors: [.invalidParameter, .resourceNotFound, .notAuthorized, .tooManyRequests, .internalError],
    changes: ["ResourceArn"])

  /// The request.
  public struct Input: Structure {
    /// `ResourceArn`, required: 20 to 2048 characters.
    public var arn = ""
    /// `Tags`, required.
    public var tags: [ExactString: String] = [:]

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ResourceArn", &arn, .resourceARN)
      m.required("Tags", &tags, .tags)
    }
  }
}

/// Removes tags of a pool.
public enum UntagResource: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UntagResource", .developer(.administering, .resource("ResourceArn")), "Removes tags of a pool.",
    errors: [.invalidParameter, .resourceNotFound, .notAuthorized, .tooManyRequests, .internalError],
    changes: ["ResourceArn"])

  /// The request.
  public struct Input: Structure {
    /// `ResourceArn`, required: 20 to 2048 characters.
    public var arn = ""
    /// `TagKeys`, required.
    public var keys: [String] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ResourceArn", &arn, .resourceARN)
      m.required("TagKeys", &keys, .init(of: .tagKey))
    }
  }
}

/// Returns the tags of a pool.
public enum ListTagsForResource: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListTagsForResource", .developer(.reading, .resource("ResourceArn")), "Returns the tags of a pool.",
    errors: [.invalidParameter, .resourceNotFound, .notAuthorized, .tooManyRequests, .internalError])

  /// The request.
  public struct Input: Structure {
    /// `ResourceArn`, required: 20 to 2048 characters.
    public var arn = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ResourceArn", &arn, .resourceARN)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `Tags`.
    public var tags: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Tags", &tags, .tags)
    }
  }
}

/// Sets which claims of a provider's logins become session tags.
public enum SetPrincipalTagAttributeMap: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SetPrincipalTagAttributeMap", .developer(.administering, .pool("IdentityPoolId")),
    "Sets which claims of a provider's logins become session tags.",
    errors: [.invalidParameter, .resourceNotFound, .notAuthorized, .tooManyRequests, .internalError],
    changes: ["IdentityPoolId"])

  /// The request.
  public struct Input: Structure {
    /// `IdentityPoolId`, required: 1 to 55 characters.
    public var poolID = ""
    /// `IdentityProviderName`, required: 1 to 128 characters.
    public var provider = ""
    /// `UseDefaults`.
    public var usesDefaults: Bool?
    /// Claims by tag.
    public var principalTags: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID)
      m.required("IdentityProviderName", &provider, .provider)
      m.optional("UseDefaults", &usesDefaults)
      m.optional("PrincipalTags", &principalTags, .principalTags)
    }
  }

  /// The response.
  public typealias Output = PrincipalTagMap
}

/// Returns which claims of a provider's logins become session tags.
public enum GetPrincipalTagAttributeMap: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetPrincipalTagAttributeMap", .developer(.reading, .pool("IdentityPoolId")),
    "Returns which claims of a provider's logins become session tags.",
    errors: [.invalidParameter, .resourceNotFound, .notAuthorized, .tooManyRequests, .internalError])

  /// The request.
  public struct Input: Structure {
    /// `IdentityPoolId`, required: 1 to 55 characters.
    public var poolID = ""
    /// `IdentityProviderName`, required: 1 to 128 characters.
    public var provider = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID)
      m.required("IdentityProviderName", &provider, .provider)
    }
  }

  /// The response.
  public typealias Output = PrincipalTagMap
}

extension ErrorDeclaration {
  fileprivate static let concurrentModification = ErrorDeclaration("ConcurrentModificationException")
  fileprivate static let developerUserAlreadyRegistered = ErrorDeclaration(
    "DeveloperUserAlreadyRegisteredException")
  fileprivate static let externalService = ErrorDeclaration("ExternalServiceException")
  fileprivate static let internalError = ErrorDeclaration("InternalErrorException", status: 500)
  fileprivate static let invalidIdentityPoolConfiguration = ErrorDeclaration(
    "InvalidIdentityPoolConfigurationException")
  fileprivate static let invalidParameter = ErrorDeclaration("InvalidParameterException")
  fileprivate static let limitExceeded = ErrorDeclaration("LimitExceededException")
  fileprivate static let notAuthorized = ErrorDeclaration("NotAuthorizedException")
  fileprivate static let resourceConflict = ErrorDeclaration("ResourceConflictException")
  fileprivate static let resourceNotFound = ErrorDeclaration("ResourceNotFoundException")
  fileprivate static let tooManyRequests = ErrorDeclaration("TooManyRequestsException")
}
