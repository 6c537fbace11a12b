// `SecretBytes` is what secrets come and go in: whoever imports this module has it.
@_exported public import TokenLifetime
@_exported public import TokenSecurityCrypto
@_exported public import TokenSecurityEncodings
