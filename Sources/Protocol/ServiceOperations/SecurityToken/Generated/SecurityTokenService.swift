// Made by Tools/operations.py from the model of sts in botocore 1.44.8. Not edited by hand.

/// AWS's Security Token Service, as far as identity pools need it.
public let securityTokenService = ServiceDeclaration(
  "AWS Security Token Service", signingName: "sts",
  .query(version: "2011-06-15", namespace: "https://sts.amazonaws.com/doc/2011-06-15/"),
  [AssumeRoleWithWebIdentity.self, AssumeRole.self, GetSessionToken.self, GetCallerIdentity.self],
  model: "botocore 1.44.8",
  membersNotBuilt: [
    "MinimumSessionTokenSize", "ProvidedContexts", "ProviderId", "SerialNumber", "SourceIdentity",
    "TokenCode", "TransitiveTagKeys", "TrustedIdentityPropagationContext",
  ])
