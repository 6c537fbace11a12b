// The API uses `SecretBytes`, `ExactString` and `Timestamp`, which importing this module makes available.
@_exported public import TokenLifetime
@_exported public import TokenSecurityBase
@_exported public import TokenSecurityCrypto
