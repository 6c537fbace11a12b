// JSON values, secrets and lifetimes are part of this module's interface: whoever imports JOSE can name them.
@_exported public import TokenSecurityCrypto
@_exported public import TokenSecurityEncodings
@_exported public import TokenLifetime
