// Secrets are `SecretBytes`, names of algorithms `ExactString`, instants `Timestamp`: importing this module imports them.
@_exported public import TokenLifetime
@_exported public import TokenSecurityCrypto
@_exported public import TokenSecurityEncodings
