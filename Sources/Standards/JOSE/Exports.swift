// JSON values, secrets and lifetimes are part of this module's public API.
@_exported public import TokenSecurityCrypto
@_exported public import TokenSecurityEncodings
@_exported public import TokenLifetime
