// Credentials are for signing: importing this module imports the signer.
@_exported public import SigV4
