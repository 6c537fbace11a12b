// Operations on user pools.

let poolOperations: [any ServiceOperation.Type] = [
  CreateUserPool.self, DescribeUserPool.self, UpdateUserPool.self, DeleteUserPool.self, ListUserPools.self,
  AddCustomAttributes.self,
]

/// Makes a user pool.
public enum CreateUserPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "CreateUserPool", .developer(.administering, .all), "Makes a user pool.",
    errors: .messages + [
      .invalidParameter, .tooManyRequests, .limitExceeded, .notAuthorized, .userPoolTagging, .internalError,
      .tierChangeNotAllowed, .featureUnavailableInTier,
    ], changes: ["UserPool.Id"])

  /// The request.
  public struct Input: Structure {
    /// The pool's name.
    public var poolName = ""
    /// The attributes that users may also sign in with.
    public var aliasAttributes: [AliasAttributeType]?
    /// The attributes that users sign in with in place of a user name.
    public var usernameAttributes: [UsernameAttributeType]?
    /// The attributes of users.
    public var schema: [SchemaAttributeType]?
    /// How user names are compared.
    public var usernameConfiguration: UsernameConfigurationType?
    /// The settings that can change.
    public var settings = UserPoolSettings()

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("PoolName", &poolName, .userPoolName)
      m.optional("AliasAttributes", &aliasAttributes, .init())
      m.optional("UsernameAttributes", &usernameAttributes, .init())
      m.optional("Schema", &schema, .init(1...50))
      m.optional("UsernameConfiguration", &usernameConfiguration)
      settings.members(&m)
    }
  }

  /// The answer.
  public typealias Output = UserPoolOutput
}

/// Returns a user pool.
public enum DescribeUserPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DescribeUserPool", .developer(.reading, .pool("UserPoolId")), "Returns a user pool.",
    errors: .usual + [.userPoolTagging])

  /// The request.
  public typealias Input = UserPoolName

  /// The answer.
  public typealias Output = UserPoolOutput
}

/// Replaces the settings of a user pool.
public enum UpdateUserPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateUserPool", .developer(.administering, .pool("UserPoolId")),
    "Replaces the settings of a user pool.",
    errors: .usual + .messages + [
      .concurrentModification, .userImportInProgress, .userPoolTagging, .tierChangeNotAllowed,
      .featureUnavailableInTier,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The pool's name.
    public var poolName: String?
    /// The settings that can change.
    public var settings = UserPoolSettings()

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.optional("PoolName", &poolName, .userPoolName)
      settings.members(&m)
    }
  }
}

/// Removes a user pool with its users.
public enum DeleteUserPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteUserPool", .developer(.administering, .pool("UserPoolId")), "Removes a user pool with its users.",
    errors: .usual + [.userImportInProgress], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserPoolName
}

/// Lists user pools.
public enum ListUserPools: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListUserPools", .developer(.reading, .all), "Lists user pools.",
    errors: [.invalidParameter, .tooManyRequests, .notAuthorized, .internalError])

  /// The request.
  public struct Input: Structure {
    /// The token of the next page.
    public var nextToken: String?
    /// The most elements of the page.
    public var maxResults: Int64 = 0

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("NextToken", &nextToken, .nextToken)
      m.required("MaxResults", &maxResults, .pageSize)
    }
  }

  /// The answer.
  public struct Output: Structure {
    /// The pools.
    public var userPools: [UserPoolDescriptionType]?
    /// The token of the next page.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("UserPools", &userPools, .init())
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }
}

/// Adds attributes to the schema of a pool.
public enum AddCustomAttributes: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AddCustomAttributes", .developer(.administering, .pool("UserPoolId")),
    "Adds attributes to the schema of a pool.",
    errors: .usual + [.userImportInProgress], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The attributes.
    public var customAttributes: [SchemaAttributeType] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("CustomAttributes", &customAttributes, .init(1...25))
    }
  }
}
