// Tokens, policies, URLs, HTTP transports and their errors are part of this module's interface.
@_exported public import HTTPExchange
@_exported public import JOSE
