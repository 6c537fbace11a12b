var bearer: String { given() }
var compact: String { given() }
var header: String { given() }
var revocations: Set<String> { given() }

func serve(_ subject: String?, _ groups: [String], _ scopes: [String]) {}
