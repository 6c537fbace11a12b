// Whoever asks for credentials signs requests with them.
@_exported public import SigV4
