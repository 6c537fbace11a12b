// Senders are for data sets, and send over HTTP.
@_exported public import CognitoSync
@_exported public import HTTPExchange
