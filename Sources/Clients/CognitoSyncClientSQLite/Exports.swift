// The client whose data sets a file keeps.
@_exported public import CognitoSyncClient
