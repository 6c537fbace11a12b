import OneTimeCodes

var name: String { given() }
var secret: OTPSecret { given() }
var typed: String { given() }
var state: TOTP.State { given() }
var counter: UInt64 { given() }

func store(_ state: TOTP.State) {}
func store(_ counter: UInt64?) {}
