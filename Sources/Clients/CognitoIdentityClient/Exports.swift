// Calls return credentials, which sign requests, and need an HTTP transport.
@_exported public import AWSCredentials
@_exported public import HTTPExchange
