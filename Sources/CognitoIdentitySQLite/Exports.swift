// Whoever opens a store hands it to what needs one.
@_exported public import CognitoIdentity
