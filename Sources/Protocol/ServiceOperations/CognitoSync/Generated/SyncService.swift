// Made by Tools/operations.py from the model of cognito-sync in botocore 1.44.8. Not edited by hand.

/// Amazon Cognito Sync, as service and clients share it: data sets of identities, their devices and subscriptions.
public let dataSets = ServiceDeclaration(
  "Amazon Cognito Sync", signingName: "cognito-sync", .rest,
  [
    ListDatasets.self, DescribeDataset.self, DeleteDataset.self, DescribeIdentityUsage.self, ListRecords.self,
    UpdateRecords.self, RegisterDevice.self, SubscribeToDataset.self, UnsubscribeFromDataset.self,
    GetIdentityPoolConfiguration.self, SetIdentityPoolConfiguration.self,
  ], model: "botocore 1.44.8",
  routesNotBuilt: [
    ("BulkPublish", .post("/identitypools/{IdentityPoolId}/bulkpublish")),
    ("DescribeIdentityPoolUsage", .get("/identitypools/{IdentityPoolId}")),
    ("GetBulkPublishDetails", .post("/identitypools/{IdentityPoolId}/getBulkPublishDetails")),
    ("GetCognitoEvents", .get("/identitypools/{IdentityPoolId}/events")),
    ("ListIdentityPoolUsage", .get("/identitypools")),
    ("SetCognitoEvents", .post("/identitypools/{IdentityPoolId}/events")),
  ])
