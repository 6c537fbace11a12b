/// The operations of the service's protocol, `X-Amz-Target: AWSCognitoIdentityService.NAME`.
public enum Operation: String, Sendable, Hashable, CaseIterable {
  case createIdentityPool = "CreateIdentityPool"
  case deleteIdentities = "DeleteIdentities"
  case deleteIdentityPool = "DeleteIdentityPool"
  case describeIdentity = "DescribeIdentity"
  case describeIdentityPool = "DescribeIdentityPool"
  case getCredentialsForIdentity = "GetCredentialsForIdentity"
  case getID = "GetId"
  case getIdentityPoolRoles = "GetIdentityPoolRoles"
  case getOpenIDToken = "GetOpenIdToken"
  case getOpenIDTokenForDeveloperIdentity = "GetOpenIdTokenForDeveloperIdentity"
  case getPrincipalTagAttributeMap = "GetPrincipalTagAttributeMap"
  case listIdentities = "ListIdentities"
  case listIdentityPools = "ListIdentityPools"
  case listTagsForResource = "ListTagsForResource"
  case lookupDeveloperIdentity = "LookupDeveloperIdentity"
  case mergeDeveloperIdentities = "MergeDeveloperIdentities"
  case setIdentityPoolRoles = "SetIdentityPoolRoles"
  case setPrincipalTagAttributeMap = "SetPrincipalTagAttributeMap"
  case tagResource = "TagResource"
  case unlinkDeveloperIdentity = "UnlinkDeveloperIdentity"
  case unlinkIdentity = "UnlinkIdentity"
  case untagResource = "UntagResource"
  case updateIdentityPool = "UpdateIdentityPool"

  /// What stands before the name in `X-Amz-Target`.
  public static let targetPrefix = "AWSCognitoIdentityService."

  /// The operation of an `X-Amz-Target`. Throws `operationUnknown` where it is none.
  public init(target: String) throws(IdentityError) {
    guard target.hasPrefix(Self.targetPrefix),
      let operation = Operation(rawValue: String(target.dropFirst(Self.targetPrefix.count)))
    else { throw .operationUnknown(target) }
    self = operation
  }

  /// Whether the caller must sign with developer credentials. The others are for devices, which have none.
  public var needsSignature: Bool {
    switch self {
    case .getID, .getOpenIDToken, .getCredentialsForIdentity, .unlinkIdentity: false
    default: true
    }
  }
}
