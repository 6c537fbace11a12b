// A declaration's members have the types of this module.
@_exported public import ServiceOperations
