/// The names of public providers, as a pool has them in its settings (`SupportedLoginProviders`) and as logins have them.
///
///     let logins = MutableLogins()
///     logins[LoginName.google] = "eyJhbGciOi…"      // the ID token of a user who has signed in with Google
///
/// The name of a user pool is `cognito-idp.REGION.amazonaws.com/POOL`; that of an OpenID provider is its issuer without
/// `https://`. A developer provider has the name that the pool gives it.
public enum LoginName {
  /// Facebook: an ID token of Limited Login, or an access token. The pool has the app's id.
  public static var facebook: String { "graph.facebook.com" }
  /// Google: an ID token. The pool has the client ids, with semicolons between them.
  public static var google: String { "accounts.google.com" }
  /// Login with Amazon: an ID token, or an access token. The pool has the client's id.
  public static var amazon: String { "www.amazon.com" }
  /// Sign in with Apple: an ID token. The pool has the application's or the service's identifier.
  public static var apple: String { "appleid.apple.com" }
}
