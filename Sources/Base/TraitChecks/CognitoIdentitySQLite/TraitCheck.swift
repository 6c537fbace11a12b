#if !CognitoIdentitySQLite
  #error(
    "CognitoIdentitySQLite needs the trait CognitoIdentitySQLite: .package(url: \"…\", from: \"…\", traits: [\"CognitoIdentitySQLite\"]), or swift build --traits CognitoIdentitySQLite"
  )
#endif
