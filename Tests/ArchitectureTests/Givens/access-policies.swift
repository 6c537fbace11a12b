import AccessPolicies

var document: String { given() }
var bucketPolicy: String { given() }
var identityID: String { given() }
var address: String { given() }
var user: String { given() }
var clientAddress: String? { given() }

func log(_ message: String) {}
