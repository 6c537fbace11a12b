// Whoever signs requests names them, credentials and errors.
@_exported public import HTTPTypes
@_exported public import SigV4
