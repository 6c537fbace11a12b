import OneTimeCodes

var typed: String { given() }
var state: TOTP.State { given() }
var throttle: OTPThrottle {
  get { given() }
  set {}
}
var pepper: SecretBytes { given() }
var digests: [[UInt8]] { given() }

func show(_ secret: borrowing SecretBytes) {}
func store(_ state: TOTP.State, _ throttle: OTPThrottle) throws {}
func store(_ digests: [[UInt8]]) {}
