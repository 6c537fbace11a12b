#if !IdentityService
  #error(
    "identity-service needs the trait IdentityService: .package(url: \"…\", from: \"…\", traits: [\"IdentityService\"]), or swift build --traits IdentityService"
  )
#endif
