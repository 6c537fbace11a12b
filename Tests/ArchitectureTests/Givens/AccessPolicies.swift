import AccessPolicies

var document: String { given() }
