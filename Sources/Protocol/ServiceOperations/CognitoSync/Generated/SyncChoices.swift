// Made by Tools/operations.py from the model of cognito-sync in botocore 1.44.8. Not edited by hand.

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

extension RecordPatch {
  /// The operation on a record.
  public enum Change: ExactString, MemberChoice {
    /// `replace`.
    case replace = "replace"
    /// `remove`.
    case remove = "remove"
  }
}

extension StreamSettings {
  /// Whether changes are written.
  public enum Status: ExactString, MemberChoice {
    /// `ENABLED`.
    case enabled = "ENABLED"
    /// `DISABLED`.
    case disabled = "DISABLED"
  }
}
