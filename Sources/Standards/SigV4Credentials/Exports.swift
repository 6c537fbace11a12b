// Importing this module imports the sources of credentials, the signer and the HTTP transport.
@_exported public import AsyncHTTPTransport
@_exported public import SigV4
