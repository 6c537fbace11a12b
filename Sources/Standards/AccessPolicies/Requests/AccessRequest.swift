internal import TokenSecurityBase

/// A request that policies allow or deny.
public struct AccessRequest: Sendable {
  /// The caller.
  public let principal: AccessPrincipal
  /// The action: `s3:GetObject`.
  public let action: String
  /// The resource: an ARN, or `*` for an action without a resource.
  public let resource: String
  /// The account to which the resource belongs; nil if it is the caller's.
  public let resourceAccount: String?
  /// The condition keys.
  public let context: AccessContext
  /// The action in lower case.
  let foldedAction: [UInt8]

  /// A request.
  ///
  /// - Parameters:
  ///   - principal: the caller.
  ///   - action: `s3:GetObject` for instance. Case is ignored.
  ///   - resource: the ARN, or `*`.
  ///   - resourceAccount: the account of the resource. Default: that in the ARN, else the caller's.
  ///   - context: the condition keys. The caller fills them in; none is derived from the other values.
  public init(
    principal: AccessPrincipal, action: String, resource: String, resourceAccount: String? = nil,
    context: AccessContext = [:]
  ) {
    self.principal = principal
    self.action = action
    self.resource = resource
    self.context = context
    var folded = Array(action.utf8)
    for index in folded.indices { folded[index] = folded[index].lowercasedASCII }
    foldedAction = folded
    self.resourceAccount = resourceAccount ?? Self.account(of: resource)
  }

  /// The account in an ARN.
  private static func account(of resource: String) -> String? {
    guard ByteSearch.has("arn:", resource.utf8.span, at: 0), let parts = ARNParts(resource), !parts.has(4, "")
    else { return nil }
    return parts[4]
  }

  /// True where caller and resource belong to different accounts.
  var isCrossAccount: Bool {
    guard let account = principal.account, let resourceAccount else { return false }
    return account != resourceAccount
  }
}
