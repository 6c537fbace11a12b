// error: cannot convert value of type 'UnverifiedToken' to expected argument type 'VerifiedToken'
import JOSE

func act(on token: VerifiedToken) {}

func mistake(_ text: String) throws {
  act(on: try UnverifiedToken(text))
}
