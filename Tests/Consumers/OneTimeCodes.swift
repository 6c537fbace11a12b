import OTP
import OneTimeCodes

let totp = try TOTP(secret: OTPSecret(SecretBytes(Array("12345678901234567890".utf8).span)))
print("code", try totp.code(at: Timestamp(since1970: .seconds(59))), "beside the module", nameOfOTP)
