// Errors are `CodedError`s: importing this module imports the protocol.
@_exported public import TokenSecurityBase
