// error: 'subscript(_:)' is unavailable: write claims[name]?.string: a claim can be any JSON value
import JOSE

func scope(_ token: VerifiedToken) -> String? { token.claims["scope"] }
