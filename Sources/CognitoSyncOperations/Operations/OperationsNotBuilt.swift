// The operations that are not built, by method and path. They are answered as such, and not as unknown.

let operationsNotBuilt: [(name: ExactString, route: HTTPRoute)] = [
  ("ListIdentityPoolUsage", .get("/identitypools")),
  ("DescribeIdentityPoolUsage", .get("/identitypools/{IdentityPoolId}")),
  ("GetCognitoEvents", .get("/identitypools/{IdentityPoolId}/events")),
  ("SetCognitoEvents", .post("/identitypools/{IdentityPoolId}/events")),
  ("BulkPublish", .post("/identitypools/{IdentityPoolId}/bulkpublish")),
  ("GetBulkPublishDetails", .post("/identitypools/{IdentityPoolId}/getBulkPublishDetails")),
]
