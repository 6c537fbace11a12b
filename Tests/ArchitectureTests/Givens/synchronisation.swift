import CognitoSyncClient

var pool: String { given() }
var session: StaticLogins { given() }
var folder: String { given() }
var token: [UInt8] { given() }
var registrationToken: String { given() }

func merged(_ left: String?, _ right: String?) -> String? { given() }
func show(_ keys: [String]) {}
func show(_ text: String) {}
func log(_ error: SyncClientError) {}
