import OneTimeCodes
import OTPQRCode

var uri: OTPAuthURI { given() }

func show(_ image: borrowing SecretBytes) {}
