// accepted
// Every error has a code. The former name of its text is deprecated.
import CognitoIdentity
import OneTimeCodes
import SecureRemotePassword

func code(of error: any Error) -> String? {
  switch error {
  case let error as JOSEError: error.codeName
  case let error as OTPError: error.code.rawValue
  case let error as SRPError where error.code == .proofMismatch: nil
  case let error as any CodedError: error.codeText
  default: nil
  }
}
