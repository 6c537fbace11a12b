public import TokenSecurityEncodings

extension IdentityPoolService {
  /// The operations of the JSON protocol, by their names in `X-Amz-Target`.
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

    /// The prefix of the operation's name in `X-Amz-Target`.
    public static let targetPrefix = "AWSCognitoIdentityService."

    /// Reads the value of `X-Amz-Target`.
    ///
    /// - Parameter target: the prefix and the operation's name.
    /// - Throws: `operationUnknown`.
    public init(target: String) throws(IdentityError) {
      guard let name = target.rest(after: Self.targetPrefix), let operation = Self(name: name) else {
        throw .operationUnknown(target)
      }
      self = operation
    }
  }
}
