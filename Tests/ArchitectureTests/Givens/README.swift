import JOSE

var verifier: TokenVerifier { given() }
var token: String { given() }

func serve(_ subject: String?) {}
func refuse(_ status: Int, _ reason: String) {}
