// error: cannot convert value of type 'UnverifiedToken' to expected argument type 'VerifiedToken'
import OpenIDConnect

func read(_ token: UnverifiedToken) throws -> CognitoUser { try CognitoUser(token) }
