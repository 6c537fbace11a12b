/// Amazon Cognito's user pools, as service and clients share them.
public let userPools = ServiceDeclaration(
  "Amazon Cognito user pools", signingName: "cognito-idp",
  .json(targetPrefix: "AWSCognitoIdentityProviderService"),
  groupsOfOperations.flatMap { $0 }, notBuilt: operationsNotBuilt)

private let groupsOfOperations: [[any ServiceOperation.Type]] = [
  signUpOperations, signInOperations, tokenOperations, passwordOperations, ownAttributeOperations,
  ownFactorOperations, ownDeviceOperations, poolOperations, poolFactorOperations, clientOperations,
  userOperations, userAttributeOperations, userSignInOperations, userFactorOperations, userDeviceOperations,
  groupOperations, membershipOperations, tagOperations,
]
