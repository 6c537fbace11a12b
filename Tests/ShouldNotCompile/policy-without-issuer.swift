// error: missing argument for parameter 'issuer' in call
import JOSE

let policy = TokenPolicy(audience: "api")
