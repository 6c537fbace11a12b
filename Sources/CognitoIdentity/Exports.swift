// Whoever asks for identities names tokens' instants, key sets and credentials.
@_exported public import JOSE
@_exported public import SigV4
