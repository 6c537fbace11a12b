#if !CognitoIdentityClientHTTP
  #error(
    "CognitoIdentityClientHTTP needs the trait CognitoIdentityClientHTTP: .package(url: \"…\", from: \"…\", traits: [\"CognitoIdentityClientHTTP\"]), or swift build --traits CognitoIdentityClientHTTP"
  )
#endif
