// error: 'init(base32:form:strength:)' is unavailable: read bytes: [UInt8] and write OTPSecret(base32: SecretBytes(wiping: &bytes))
import OneTimeCodes

func secret(_ text: String) throws -> OTPSecret { try OTPSecret(base32: text) }
