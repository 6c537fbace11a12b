// The types in this module's public interface: operations, stores and rings of signing keys.
@_exported public import Records
@_exported public import ServiceOperations
