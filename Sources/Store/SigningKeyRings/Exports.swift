// The types in this module's public interface: algorithms, stores and times.
@_exported public import JOSE
@_exported public import Records
@_exported public import TokenLifetime
