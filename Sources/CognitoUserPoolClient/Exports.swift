// Calls need an HTTP transport. Passwords are `SecretBytes`, and errors have those of SRP.
@_exported public import CognitoSRP
@_exported public import HTTPExchange
