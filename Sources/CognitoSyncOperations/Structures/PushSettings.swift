/// Where push messages of a pool are sent.
public struct PushSettings: Structure {
  /// The ARNs of platform applications of SNS.
  public var applicationARNs: [String]?
  /// The ARN of the role that may use them.
  public var roleARN: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("ApplicationArns", &applicationARNs, .init(of: .applicationARN, ownLimit: 10))
    m.optional("RoleArn", &roleARN, .pushRoleARN)
  }
}

/// A stream of changes. The service does not have streams, and refuses this member.
public struct StreamSettings: Structure {
  /// The stream's name.
  public var name: String?
  /// The ARN of the role that may write to it.
  public var roleARN: String?
  /// Whether changes are written.
  public var status: Status?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("StreamName", &name, TextBounds(1...128))
    m.optional("RoleArn", &roleARN, .pushRoleARN)
    m.optional("StreamingStatus", &status)
  }

  /// Whether changes are written.
  public enum Status: ExactString, MemberChoice {
    /// They are written.
    case enabled = "ENABLED"
    /// They are not written.
    case disabled = "DISABLED"
  }
}

/// The platform of a device, which delivers push messages.
public enum PushPlatform: ExactString, MemberChoice {
  /// Apple.
  case apns = "APNS"
  /// Apple, for builds of development.
  case apnsSandbox = "APNS_SANDBOX"
  /// Google.
  case gcm = "GCM"
  /// Amazon.
  case adm = "ADM"
}
