// The names of the operations that are not built. They are answered as such, and not as unknown.

let operationsNotBuilt: [ExactString] = [
  "AddUserPoolClientSecret", "AdminDisableProviderForUser", "AdminLinkProviderForUser",
  "AdminListUserAuthEvents", "AdminListUserSessions", "AdminRevokeUserSession",
  "AdminUpdateAuthEventFeedback", "CompleteWebAuthnRegistration", "CreateIdentityProvider",
  "CreateManagedLoginBranding", "CreateResourceServer", "CreateTerms", "CreateUserImportJob",
  "CreateUserPoolDomain", "CreateUserPoolReplica", "DeleteIdentityProvider", "DeleteManagedLoginBranding",
  "DeleteResourceServer", "DeleteTerms", "DeleteUserPoolClientSecret", "DeleteUserPoolDomain",
  "DeleteUserPoolReplica", "DeleteWebAuthnCredential", "DescribeIdentityProvider",
  "DescribeManagedLoginBranding", "DescribeManagedLoginBrandingByClient", "DescribeResourceServer",
  "DescribeRiskConfiguration", "DescribeTerms", "DescribeTermsByClient", "DescribeUserImportJob",
  "DescribeUserPoolDomain", "GetCSVHeader", "GetClientToken", "GetDerivedToken",
  "GetIdentityProviderByIdentifier", "GetLogDeliveryConfiguration", "GetProvisionedLimit",
  "GetSigningCertificate", "GetUICustomization", "GetUserPoolClientSessionConfiguration",
  "GetUserPoolSessionConfiguration", "ListIdentityProviders", "ListResourceServers", "ListTerms",
  "ListUserImportJobs", "ListUserPoolClientSecrets", "ListUserPoolReplicas", "ListUserSessions",
  "ListWebAuthnCredentials", "RevokeUserSession", "SetLogDeliveryConfiguration", "SetRiskConfiguration",
  "SetUICustomization", "SetUserPoolClientSessionConfiguration", "SetUserPoolSessionConfiguration",
  "StartUserImportJob", "StartWebAuthnRegistration", "StopUserImportJob", "UpdateAuthEventFeedback",
  "UpdateIdentityProvider", "UpdateManagedLoginBranding", "UpdateProvisionedLimit", "UpdateResourceServer",
  "UpdateTerms", "UpdateUserPoolDomain", "UpdateUserPoolReplica",
]
