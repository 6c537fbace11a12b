// `SecretBytes` is what secrets come and go in, and errors are `CodedError`s. Importing this module imports both.
@_exported public import TokenSecurityCrypto
@_exported public import TokenSecurityEncodings
