// The API has `Timestamp`, `SecretBytes` and `ExactString`: importing this module imports them.
@_exported public import TokenLifetime
@_exported public import TokenSecurityBase
@_exported public import TokenSecurityCrypto
// Sources of roles take an HTTP transport.
@_exported public import HTTPExchange
