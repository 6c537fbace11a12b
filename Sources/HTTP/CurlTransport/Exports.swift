// Requests, responses, limits and errors of the transport.
@_exported public import HTTPExchange
