// Made by Tools/operations.py from the model of sts in botocore 1.44.8. Not edited by hand.

/// A managed policy, by its ARN.
public struct SessionPolicyReference: Structure {
  /// `arn`, required: 20 to 2048 characters.
  public var arn = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("arn", &arn, .serviceARN)
  }
}

/// Temporary credentials.
public struct SessionCredentials: Structure {
  /// `AccessKeyId`, required: 16 to 128 characters.
  public var accessKeyID = ""
  /// `SecretAccessKey`, required.
  public var secretAccessKey = SecretText()
  /// `SessionToken`, required.
  public var sessionToken = ""
  /// When they expire.
  public var expiration = Timestamp.earliest

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("AccessKeyId", &accessKeyID, .accessKeyID)
    m.required("SecretAccessKey", &secretAccessKey, .any.sensitive)
    m.required("SessionToken", &sessionToken, .any)
    m.required("Expiration", &expiration)
  }
}

/// A session of a role.
public struct AssumedRoleUser: Structure {
  /// `AssumedRoleId`, required: 2 to 193 characters.
  public var id = ""
  /// `Arn`, required: 20 to 2048 characters.
  public var arn = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("AssumedRoleId", &id, .assumedRoleID)
    m.required("Arn", &arn, .serviceARN)
  }
}

/// A tag of a session: `aws:PrincipalTag/…` in policies.
public struct SessionTag: Structure {
  /// `Key`, required: 1 to 128 characters.
  public var key = ""
  /// `Value`, required: 0 to 256 characters.
  public var value = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Key", &key, .sessionTagName)
    m.required("Value", &value, .sessionTagValue)
  }
}
