// JSON values, secrets and lifetimes are part of this module's interface: whoever imports JOSE can name them.
@_exported public import CryptoPrimitives
@_exported public import Encodings
@_exported public import TokenLifetime
