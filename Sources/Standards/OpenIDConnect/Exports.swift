// The interface of this module uses the types of these modules.
@_exported public import HTTPExchange
@_exported public import JOSE
@_exported public import TokenSecurityBase
