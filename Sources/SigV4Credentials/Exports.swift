// Importing this module imports all sources of credentials, and the signer.
@_exported public import AWSCredentials
