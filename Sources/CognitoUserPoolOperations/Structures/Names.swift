// The inputs that several operations share.

/// The id of a pool.
public struct UserPoolName: Structure {
  /// The pool's id.
  public var userPoolID = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
  }
}

/// The ids of a pool and a client.
public struct UserPoolClientName: Structure {
  /// The pool's id.
  public var userPoolID = ""
  /// The client's id.
  public var clientID = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("ClientId", &clientID, .clientID)
  }
}

/// A user of a pool.
public struct UserName: Structure {
  /// The pool's id.
  public var userPoolID = ""
  /// The user name.
  public var username = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("Username", &username, .username)
  }
}

/// A user of a pool, and what hooks get.
public struct UserNameWithMetadata: Structure {
  /// The pool's id.
  public var userPoolID = ""
  /// The user name.
  public var username = ""
  /// For hooks.
  public var clientMetadata: [ExactString: String]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("Username", &username, .username)
    m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
  }
}

/// An access token.
public struct AccessTokenOnly: Structure {
  /// The access token.
  public var accessToken = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("AccessToken", &accessToken, .token)
  }
}

/// A device of the user.
public struct OwnDeviceName: Structure {
  /// The access token.
  public var accessToken: String?
  /// The device's key.
  public var deviceKey = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("AccessToken", &accessToken, .token)
    m.required("DeviceKey", &deviceKey, .deviceKey)
  }
}

/// A group of a pool.
public struct GroupName: Structure {
  /// The pool's id.
  public var userPoolID = ""
  /// The group's name.
  public var groupName = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("GroupName", &groupName, .groupName)
  }
}

/// A user of a pool, and a group.
public struct MembershipName: Structure {
  /// The pool's id.
  public var userPoolID = ""
  /// The user name.
  public var username = ""
  /// The group's name.
  public var groupName = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("Username", &username, .username)
    m.required("GroupName", &groupName, .groupName)
  }
}

/// A device of a user of a pool.
public struct DeviceName: Structure {
  /// The pool's id.
  public var userPoolID = ""
  /// The user name.
  public var username = ""
  /// The device's key.
  public var deviceKey = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("Username", &username, .username)
    m.required("DeviceKey", &deviceKey, .deviceKey)
  }
}

/// The user who gets a code.
public struct CodeRequest: Structure {
  /// The client's id.
  public var clientID = ""
  /// The digest of the user name and client id, keyed with the client's secret.
  public var secretHash: String?
  /// The user name.
  public var username = ""
  /// The user's client.
  public var userContextData: UserContextDataType?
  /// For analytics. It is not used.
  public var analyticsMetadata: AnalyticsMetadataType?
  /// For hooks.
  public var clientMetadata: [ExactString: String]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("ClientId", &clientID, .clientID)
    m.optional("SecretHash", &secretHash, .secretHash)
    m.required("Username", &username, .username)
    m.optional("UserContextData", &userContextData)
    m.optional("AnalyticsMetadata", &analyticsMetadata)
    m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
  }
}
