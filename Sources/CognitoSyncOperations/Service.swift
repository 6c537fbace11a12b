/// Amazon Cognito Sync, as service and clients share it: the data sets of identities, their devices and
/// subscriptions.
public let dataSets = ServiceDeclaration(
  "Amazon Cognito Sync", signingName: "cognito-sync", .rest,
  datasetOperations + recordOperations + deviceOperations + configurationOperations,
  routesNotBuilt: operationsNotBuilt)
