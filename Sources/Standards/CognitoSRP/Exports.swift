// Parameters and errors of SRP occur in this module's interface, and `SecretBytes` with them.
@_exported public import SecureRemotePassword
