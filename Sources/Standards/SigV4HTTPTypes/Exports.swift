// Importing this module imports swift-http-types and the signer, whose types its API has.
@_exported public import HTTPTypes
@_exported public import SigV4
