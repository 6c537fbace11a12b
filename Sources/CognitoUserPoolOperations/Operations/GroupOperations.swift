// Operations on groups.

let groupOperations: [any ServiceOperation.Type] = [
  CreateGroup.self, GetGroup.self, UpdateGroup.self, DeleteGroup.self, ListGroups.self,
]

/// Makes a group.
public enum CreateGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "CreateGroup", .developer(.administering, .pool("UserPoolId")), "Makes a group.",
    errors: .usual + [.groupExists, .limitExceeded], changes: ["UserPoolId", "GroupName"])

  /// The request.
  public typealias Input = GroupSettings

  /// The answer.
  public typealias Output = GroupOutput
}

/// Returns a group.
public enum GetGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetGroup", .developer(.reading, .pool("UserPoolId")), "Returns a group.",
    errors: .usual)

  /// The request.
  public typealias Input = GroupName

  /// The answer.
  public typealias Output = GroupOutput
}

/// Replaces the settings of a group.
public enum UpdateGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateGroup", .developer(.administering, .pool("UserPoolId")), "Replaces the settings of a group.",
    errors: .usual, changes: ["UserPoolId", "GroupName"])

  /// The request.
  public typealias Input = GroupSettings

  /// The answer.
  public typealias Output = GroupOutput
}

/// Removes a group.
public enum DeleteGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteGroup", .developer(.administering, .pool("UserPoolId")), "Removes a group.",
    errors: .usual, changes: ["UserPoolId", "GroupName"])

  /// The request.
  public typealias Input = GroupName
}

/// Lists the groups of a pool.
public enum ListGroups: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListGroups", .developer(.reading, .pool("UserPoolId")), "Lists the groups of a pool.",
    errors: .usual)

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The most elements of the page.
    public var limit: Int64?
    /// The token of the next page.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.optional("Limit", &limit, .limit)
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }

  /// The answer.
  public typealias Output = GroupPage
}
