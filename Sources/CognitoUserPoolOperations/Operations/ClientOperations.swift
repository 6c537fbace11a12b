// Operations on app clients.

let clientOperations: [any ServiceOperation.Type] = [
  CreateUserPoolClient.self, DescribeUserPoolClient.self, UpdateUserPoolClient.self,
  DeleteUserPoolClient.self, ListUserPoolClients.self,
]

/// Makes an app client.
public enum CreateUserPoolClient: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "CreateUserPoolClient", .developer(.administering, .pool("UserPoolId")), "Makes an app client.",
    errors: .usual + [.limitExceeded, .scopeDoesNotExist, .invalidOAuthFlow, .featureUnavailableInTier],
    changes: ["UserPoolId", "UserPoolClient.ClientId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The client's name.
    public var clientName = ""
    /// True where the client gets a secret.
    public var generateSecret: Bool?
    /// The client's secret.
    public var clientSecret: SecretText?
    /// The settings that can change.
    public var settings = UserPoolClientSettings()

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("ClientName", &clientName, .clientName)
      m.optional("GenerateSecret", &generateSecret)
      m.optional("ClientSecret", &clientSecret, .clientSecret)
      settings.members(&m)
    }
  }

  /// The answer.
  public typealias Output = UserPoolClientOutput
}

/// Returns an app client.
public enum DescribeUserPoolClient: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DescribeUserPoolClient", .developer(.reading, .pool("UserPoolId")), "Returns an app client.",
    errors: .usual)

  /// The request.
  public typealias Input = UserPoolClientName

  /// The answer.
  public typealias Output = UserPoolClientOutput
}

/// Replaces the settings of an app client.
public enum UpdateUserPoolClient: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateUserPoolClient", .developer(.administering, .pool("UserPoolId")),
    "Replaces the settings of an app client.",
    errors: .usual + [
      .concurrentModification, .scopeDoesNotExist, .invalidOAuthFlow, .featureUnavailableInTier,
    ], changes: ["UserPoolId", "ClientId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The client's id.
    public var clientID = ""
    /// The client's name.
    public var clientName: String?
    /// The settings that can change.
    public var settings = UserPoolClientSettings()

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("ClientId", &clientID, .clientID)
      m.optional("ClientName", &clientName, .clientName)
      settings.members(&m)
    }
  }

  /// The answer.
  public typealias Output = UserPoolClientOutput
}

/// Removes an app client.
public enum DeleteUserPoolClient: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteUserPoolClient", .developer(.administering, .pool("UserPoolId")), "Removes an app client.",
    errors: .usual + [.concurrentModification], changes: ["UserPoolId", "ClientId"])

  /// The request.
  public typealias Input = UserPoolClientName
}

/// Lists the app clients of a pool.
public enum ListUserPoolClients: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListUserPoolClients", .developer(.reading, .pool("UserPoolId")), "Lists the app clients of a pool.",
    errors: .usual)

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The most elements of the page.
    public var maxResults: Int64?
    /// The token of the next page.
    public var nextToken: String?
    /// The type of the clients.
    public var clientType: ClientTypeType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.optional("MaxResults", &maxResults, .pageSize)
      m.optional("NextToken", &nextToken, .nextToken)
      m.optional("ClientType", &clientType)
    }
  }

  /// The answer.
  public struct Output: Structure {
    /// The clients.
    public var userPoolClients: [UserPoolClientDescription]?
    /// The token of the next page.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("UserPoolClients", &userPoolClients, .init())
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }
}
