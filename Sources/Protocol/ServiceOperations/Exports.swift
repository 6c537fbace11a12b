// Errors are `CodedError`s and names are `ExactString`s: importing this module imports both, and `Timestamp`.
@_exported public import TokenLifetime
@_exported public import TokenSecurityBase
