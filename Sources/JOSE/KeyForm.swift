/// How the numbers of RSA keys are written in a key set.
package enum KeyForm: Sendable, Hashable {
  /// As RFC 7518 section 6.3.1 demands: base64url without padding, in the fewest bytes.
  case standard
  /// As the key set of Cognito's identity pools has been seen to have them: in standard base64 with padding,
  /// with a zero byte in front. For that set alone: everywhere else the strict form stands.
  case loose
}
