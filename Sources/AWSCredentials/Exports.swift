// Credentials are for signing: importing this module imports the signer.
@_exported public import SigV4
// Roles are taken on over an HTTP transport.
@_exported public import HTTPExchange
