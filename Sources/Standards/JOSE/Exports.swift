// JSON values, secrets and lifetimes are part of this module's public API.
@_exported public import TokenLifetime
@_exported public import TokenSecurityBase
@_exported public import TokenSecurityCrypto
