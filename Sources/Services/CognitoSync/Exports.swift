// The types in this module's public interface: operations, stores and identities.
@_exported public import CognitoIdentity
@_exported public import Records
@_exported public import ServiceOperations
