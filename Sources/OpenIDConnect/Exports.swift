// Tokens, policies and their errors are part of this module's interface: whoever imports it can name them.
@_exported public import JOSE
