// The types in this module's public interface: operations, HTTP transports, tokens and key sets, stores, rings of
// signing keys, and signing credentials.
@_exported public import OpenIDConnect
@_exported public import Records
@_exported public import ServiceOperations
@_exported public import SigV4
