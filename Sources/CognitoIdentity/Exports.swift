// The types in this module's public interface: HTTP transports, tokens and key sets, stores, and signing
// credentials.
@_exported public import OpenIDConnect
@_exported public import Records
@_exported public import SigV4
