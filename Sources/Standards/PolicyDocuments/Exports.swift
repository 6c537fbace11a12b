@_exported public import JOSE
@_exported public import OpenIDConnect
