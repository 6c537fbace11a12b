// error: 'verify(_:at:)' is unavailable: verify returns a Match: store match.state, so that a code serves once
import OneTimeCodes

func isRight(_ code: String, _ totp: TOTP) throws -> Bool { try totp.verify(code) }
