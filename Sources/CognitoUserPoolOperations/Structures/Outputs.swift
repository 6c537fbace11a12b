// The outputs that several operations share.

/// The next challenge, or the tokens.
public struct AuthOutput: Structure {
  /// The challenge.
  public var challengeName: ChallengeNameType?
  /// The session.
  public var session: String?
  /// The parameters of the challenge.
  public var challengeParameters: [ExactString: String]?
  /// The tokens.
  public var authenticationResult: AuthenticationResultType?
  /// The challenges to select from.
  public var availableChallenges: [ChallengeNameType]?
  /// True for a challenge of which the service stores nothing. It is no member.
  public var changedNothing = false

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("ChallengeName", &challengeName)
    m.optional("Session", &session, .session)
    m.optional("ChallengeParameters", &challengeParameters, .challengeParameters)
    m.optional("AuthenticationResult", &authenticationResult)
    m.optional("AvailableChallenges", &availableChallenges, .init())
  }
}

/// Where a code was sent.
public struct CodeDelivery: Structure {
  /// Where the code was sent.
  public var codeDeliveryDetails: CodeDeliveryDetailsType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("CodeDeliveryDetails", &codeDeliveryDetails)
  }
}

/// A pool.
public struct UserPoolOutput: Structure {
  /// The pool.
  public var userPool: UserPoolType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("UserPool", &userPool)
  }
}

/// A client.
public struct UserPoolClientOutput: Structure {
  /// The client.
  public var userPoolClient: UserPoolClientType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("UserPoolClient", &userPoolClient)
  }
}

/// A group.
public struct GroupOutput: Structure {
  /// The group.
  public var group: GroupType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Group", &group)
  }
}

/// A page of groups.
public struct GroupPage: Structure {
  /// The groups.
  public var groups: [GroupType]?
  /// The token of the next page.
  public var nextToken: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Groups", &groups, .init())
    m.optional("NextToken", &nextToken, .nextToken)
  }
}

/// A device.
public struct DeviceOutput: Structure {
  /// The device.
  public var device = DeviceType()

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Device", &device)
  }
}

/// A page of devices.
public struct DevicePage: Structure {
  /// The devices.
  public var devices: [DeviceType]?
  /// The token of the next page.
  public var paginationToken: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Devices", &devices, .init())
    m.optional("PaginationToken", &paginationToken, .paginationToken)
  }
}

/// The factors of a user.
public struct AuthFactorsOutput: Structure {
  /// The user name.
  public var username = ""
  /// The preferred second factor.
  public var preferredMFASetting: String?
  /// The second factors that are on.
  public var userMFASettingList: [String]?
  /// The first factors that the user can sign in with.
  public var configuredUserAuthFactors: [AuthFactorType]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Username", &username, .username)
    m.optional("PreferredMfaSetting", &preferredMFASetting, .text)
    m.optional("UserMFASettingList", &userMFASettingList, .init(of: .text))
    m.optional("ConfiguredUserAuthFactors", &configuredUserAuthFactors, .init(0...8))
  }
}
