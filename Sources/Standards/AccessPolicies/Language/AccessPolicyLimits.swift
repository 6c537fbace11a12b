/// The bounds of a policy document. What exceeds them is refused with the place.
public struct AccessPolicyLimits: Sendable, Hashable {
  /// The maximum number of bytes, white space included. Default: 32,768, the largest document of any service of AWS.
  public var size = 32_768
  /// The maximum number of statements. Default: 256.
  public var statements = 256
  /// The maximum number of actions, resources, principals and values of conditions in all. Default: 4,096.
  public var values = 4_096
  /// The maximum number of bytes of one of them. Default: 2,048, the maximum of an ARN.
  public var textSize = 2_048
  /// The maximum number of nested arrays and objects. Default: 8; the language needs 6.
  public var depth = 8

  /// The default bounds.
  public init() {}
}
