// The stores of `Records`, one of which this module has.
@_exported public import Records
