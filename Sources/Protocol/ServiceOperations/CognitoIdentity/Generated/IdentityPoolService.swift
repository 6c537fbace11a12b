// Made by Tools/operations.py from the model of cognito-identity in botocore 1.44.8. Not edited by hand.

/// Amazon Cognito's identity pools, as service and clients share them.
public let identityPools = ServiceDeclaration(
  "Amazon Cognito identity pools", signingName: "cognito-identity",
  .json(targetPrefix: "AWSCognitoIdentityService"),
  [
    CreateIdentityPool.self, UpdateIdentityPool.self, DescribeIdentityPool.self, DeleteIdentityPool.self,
    ListIdentityPools.self, SetIdentityPoolRoles.self, GetIdentityPoolRoles.self, GetID.self,
    GetOpenIDToken.self, GetCredentialsForIdentity.self, UnlinkIdentity.self, DescribeIdentity.self,
    ListIdentities.self, DeleteIdentities.self, GetOpenIDTokenForDeveloperIdentity.self,
    LookupDeveloperIdentity.self, MergeDeveloperIdentities.self, UnlinkDeveloperIdentity.self,
    TagResource.self, UntagResource.self, ListTagsForResource.self, SetPrincipalTagAttributeMap.self,
    GetPrincipalTagAttributeMap.self,
  ], model: "botocore 1.44.8")
