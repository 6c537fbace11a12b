public import TokenSecurityEncodings
/// The operations of the service's protocol, `X-Amz-Target: AWSCognitoIdentityService.NAME`.
public enum Operation: ExactString, Sendable, Hashable, CaseIterable {
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
    guard let name = target.rest(after: Self.targetPrefix), let operation = Operation(name: name) else {
      throw .operationUnknown(target)
    }
    self = operation
  }
}
