// Algorithms and keys of rings.
@_exported public import JOSE
// `Timestamp`, in which tables say when their rows expire.
@_exported public import TokenLifetime
// `JSONObject`, the usual form of a row.
@_exported public import struct TokenSecurityBase.JSONObject
