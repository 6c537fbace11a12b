// The tables of identity pools, and the store that has them.
@_exported public import CognitoIdentity
@_exported public import RecordsSQLite
