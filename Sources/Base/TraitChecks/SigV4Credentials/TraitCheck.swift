#if !SigV4Credentials
  #error(
    "SigV4Credentials needs the trait SigV4Credentials: .package(url: \"…\", from: \"…\", traits: [\"SigV4Credentials\"]), or swift build --traits SigV4Credentials"
  )
#endif
