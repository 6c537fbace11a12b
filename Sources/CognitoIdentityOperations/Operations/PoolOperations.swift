// Operations on identity pools.

let poolOperations: [any ServiceOperation.Type] = [
  CreateIdentityPool.self, UpdateIdentityPool.self, DescribeIdentityPool.self, DeleteIdentityPool.self,
  ListIdentityPools.self,
]

/// Makes a pool.
public enum CreateIdentityPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "CreateIdentityPool", .developer(.administering, .all), "Makes an identity pool.",
    errors: .common + [.notAuthorized, .resourceConflict, .limitExceeded], changes: ["IdentityPoolId"])

  /// The pool's settings.
  public typealias Input = PoolSettings
  /// The pool.
  public typealias Output = PoolDescription
}

/// Replaces a pool's settings.
public enum UpdateIdentityPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateIdentityPool", .developer(.administering, .pool("IdentityPoolId")),
    "Replaces the settings of an identity pool.",
    errors: .linking + [.concurrentModification, .limitExceeded], changes: ["IdentityPoolId"])

  /// The pool with its new settings.
  public typealias Input = PoolDescription
  /// The pool.
  public typealias Output = PoolDescription
}

/// Returns a pool.
public enum DescribeIdentityPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DescribeIdentityPool", .developer(.reading, .pool("IdentityPoolId")), "Returns an identity pool.",
    errors: .usual)

  /// The pool's id.
  public typealias Input = PoolName
  /// The pool.
  public typealias Output = PoolDescription
}

/// Removes a pool.
public enum DeleteIdentityPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteIdentityPool", .developer(.administering, .pool("IdentityPoolId")),
    "Removes an identity pool with its identities.", errors: .usual, changes: ["IdentityPoolId"])

  /// The pool's id.
  public typealias Input = PoolName
}

/// Lists pools.
public enum ListIdentityPools: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListIdentityPools", .developer(.reading, .all), "Lists identity pools.", errors: .usual)

  /// Which page.
  public struct Input: Structure {
    /// The most pools in the page.
    public var maxResults: Int64 = 0
    /// The token of the previous page.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("MaxResults", &maxResults, .pageSize)
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }

  /// A page of pools.
  public struct Output: Structure {
    /// The pools.
    public var pools: [Summary]?
    /// The token of the next page.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityPools", &pools, .init())
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }

  /// A pool's id and name.
  public struct Summary: Structure {
    /// The id.
    public var poolID: String?
    /// The name.
    public var name: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityPoolId", &poolID, .identityID)
      m.optional("IdentityPoolName", &name, .poolName)
    }
  }
}

/// The id of a pool.
public struct PoolName: Structure {
  /// The id.
  public var poolID = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) { m.required("IdentityPoolId", &poolID, .identityID) }
}
