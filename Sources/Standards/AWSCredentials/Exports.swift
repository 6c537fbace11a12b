// Importing this module imports the signer, and the HTTP transport that sources of roles take.
@_exported public import SigV4
@_exported public import HTTPExchange
