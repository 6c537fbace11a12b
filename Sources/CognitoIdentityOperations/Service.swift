internal import ServiceOperations

/// Amazon Cognito's identity pools, as service and clients share them.
public let identityPools = ServiceDeclaration(
  "Amazon Cognito identity pools", signingName: "cognito-identity",
  .json(targetPrefix: "AWSCognitoIdentityService"),
  poolOperations + roleOperations + identityOperations + developerOperations + tagOperations)
