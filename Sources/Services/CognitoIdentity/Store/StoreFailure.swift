public import Records

extension IdentityError: ServiceStoreFailure {}
