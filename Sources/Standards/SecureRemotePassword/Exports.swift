// The API uses `SecretBytes`, `ExactString` and `Timestamp`, which importing this module makes available.
@_exported public import TokenLifetime
@_exported public import TokenSecurityCrypto
@_exported public import TokenSecurityEncodings
