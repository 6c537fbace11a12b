// Calls return credentials, which sign requests, and need an HTTP transport.
@_exported public import HTTPExchange
@_exported public import SigV4
