// `SecretBytes` is what secrets come and go in, and names of algorithms are `ExactString`. Importing this module imports
// both.
@_exported public import TokenSecurityCrypto
@_exported public import TokenSecurityEncodings
