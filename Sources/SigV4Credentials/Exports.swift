// Whoever gets credentials signs with them.
@_exported public import SigV4
