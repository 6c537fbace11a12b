internal import CognitoIdentityOperations

// Operations on a pool's settings for push messages.

let configurationOperations: [any ServiceOperation.Type] = [
  GetIdentityPoolConfiguration.self, SetIdentityPoolConfiguration.self,
]

/// The settings of a pool.
public struct SyncConfiguration: Structure {
  /// The pool's id.
  public var poolID: String?
  /// Where push messages are sent.
  public var push: PushSettings?
  /// The stream of changes.
  public var streams: StreamSettings?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("IdentityPoolId", &poolID, .identityID)
    m.optional("PushSync", &push)
    m.optional("CognitoStreams", &streams)
  }
}

/// Returns the settings of a pool.
public enum GetIdentityPoolConfiguration: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetIdentityPoolConfiguration", .developer(.reading, .pool("IdentityPoolId")),
    "Returns where push messages of a pool are sent.",
    route: .get("/identitypools/{IdentityPoolId}/configuration"), errors: .usual)

  /// The pool.
  public struct Input: Structure {
    /// The pool's id.
    public var poolID = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID, in: .path("IdentityPoolId"))
    }
  }

  /// The settings.
  public typealias Output = SyncConfiguration
}

/// Sets the settings of a pool.
public enum SetIdentityPoolConfiguration: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SetIdentityPoolConfiguration", .developer(.administering, .pool("IdentityPoolId")),
    "Sets where push messages of a pool are sent.",
    route: .post("/identitypools/{IdentityPoolId}/configuration"),
    errors: .usual + [.concurrentModification], changes: ["IdentityPoolId"])

  /// The pool and its settings. Absent settings are removed.
  public struct Input: Structure {
    /// The pool's id.
    public var poolID = ""
    /// Where push messages are sent.
    public var push: PushSettings?
    /// The stream of changes, which the service does not have.
    public var streams: StreamSettings?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID, in: .path("IdentityPoolId"))
      m.optional("PushSync", &push)
      m.optional("CognitoStreams", &streams)
    }
  }

  /// The settings.
  public typealias Output = SyncConfiguration
}
