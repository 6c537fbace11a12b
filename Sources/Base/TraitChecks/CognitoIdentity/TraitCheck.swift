#if !CognitoIdentity
  #error(
    "CognitoIdentity needs the trait CognitoIdentity: .package(url: \"…\", from: \"…\", traits: [\"CognitoIdentity\"]), or swift build --traits CognitoIdentity"
  )
#endif
