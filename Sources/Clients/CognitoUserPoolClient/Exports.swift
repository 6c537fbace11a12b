// Calls need an HTTP transport. Passwords are `SecretBytes`, errors have those of SRP, and authenticator apps are set up
// with an `OTPAuthURI`.
@_exported public import HTTPExchange
@_exported public import OneTimeCodes
@_exported public import SecureRemotePassword
