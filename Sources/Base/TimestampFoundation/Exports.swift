// The conversions are members of `Timestamp`: importing this module imports it.
@_exported public import TokenLifetime
