public import Records

extension UserPoolError: ServiceStoreFailure {}
