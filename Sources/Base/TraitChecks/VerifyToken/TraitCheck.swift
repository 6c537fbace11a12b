#if !VerifyToken
  #error(
    "verify-token needs the trait VerifyToken: .package(url: \"…\", from: \"…\", traits: [\"VerifyToken\"]), or swift build --traits VerifyToken"
  )
#endif
