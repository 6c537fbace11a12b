// Whoever fetches keys names issuers, rules and errors.
@_exported public import OpenIDConnect
