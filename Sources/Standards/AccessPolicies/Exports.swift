// The API uses `CodedError` and `JSONError`, which importing this module makes available.
@_exported public import TokenSecurityBase
