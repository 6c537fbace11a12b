// error: missing argument for parameter 'because' in call
import OneTimeCodes

func weak(_ bytes: borrowing SecretBytes) throws -> Int {
  try OTPSecret(bytes, strength: .weakAccepted()).bytes.count
}
