#if !OpenIDConnectHTTP
  #error(
    "OpenIDConnectHTTP needs the trait OpenIDConnectHTTP: .package(url: \"…\", from: \"…\", traits: [\"OpenIDConnectHTTP\"]), or swift build --traits OpenIDConnectHTTP"
  )
#endif
