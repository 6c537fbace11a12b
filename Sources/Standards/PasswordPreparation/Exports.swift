// The API uses `SecretBytes` and `CodedError`, which importing this module makes available.
@_exported public import TokenSecurityBase
@_exported public import TokenSecurityCrypto
