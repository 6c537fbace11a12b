// Whoever makes a transport makes calls with it.
@_exported public import CognitoIdentityClient
