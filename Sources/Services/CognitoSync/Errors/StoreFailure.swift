public import Records

extension SyncError: ServiceStoreFailure {}
