// error: 'init(base32:form:strength:)' is unavailable: write OTPSecret(base32: SecretBytes(text))
import OneTimeCodes

func secret(_ text: String) throws -> OTPSecret { try OTPSecret(base32: text) }
