#if !AsyncHTTPTransport
  #error(
    "AsyncHTTPTransport needs the trait AsyncHTTPTransport: .package(url: \"…\", from: \"…\", traits: [\"AsyncHTTPTransport\"]), or swift build --traits AsyncHTTPTransport"
  )
#endif
