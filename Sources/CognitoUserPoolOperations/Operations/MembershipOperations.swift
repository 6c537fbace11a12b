// Operations on the members of groups.

let membershipOperations: [any ServiceOperation.Type] = [
  AdminAddUserToGroup.self, AdminRemoveUserFromGroup.self, AdminListGroupsForUser.self, ListUsersInGroup.self,
]

/// Adds a user to a group.
public enum AdminAddUserToGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminAddUserToGroup", .developer(.administering, .pool("UserPoolId")), "Adds a user to a group.",
    errors: .usual + [.userNotFound], changes: ["UserPoolId", "GroupName"])

  /// The request.
  public typealias Input = MembershipName
}

/// Removes a user from a group.
public enum AdminRemoveUserFromGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminRemoveUserFromGroup", .developer(.administering, .pool("UserPoolId")),
    "Removes a user from a group.",
    errors: .usual + [.userNotFound], changes: ["UserPoolId", "GroupName"])

  /// The request.
  public typealias Input = MembershipName
}

/// Lists the groups of a user.
public enum AdminListGroupsForUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminListGroupsForUser", .developer(.reading, .pool("UserPoolId")), "Lists the groups of a user.",
    errors: .usual + [.userNotFound])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The user name.
    public var username = ""
    /// The most elements of the page.
    public var limit: Int64?
    /// The token of the next page.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.optional("Limit", &limit, .limit)
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }

  /// The answer.
  public typealias Output = GroupPage
}

/// Lists the users of a group.
public enum ListUsersInGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListUsersInGroup", .developer(.reading, .pool("UserPoolId")), "Lists the users of a group.",
    errors: .usual)

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The group's name.
    public var groupName = ""
    /// The most elements of the page.
    public var limit: Int64?
    /// The token of the next page.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("GroupName", &groupName, .groupName)
      m.optional("Limit", &limit, .limit)
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }

  /// The answer.
  public struct Output: Structure {
    /// The users.
    public var users: [UserType]?
    /// The token of the next page.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Users", &users, .init())
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }
}
