// `IdentityStore`, which this module implements.
@_exported public import CognitoIdentity
