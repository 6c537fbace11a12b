#if !OpenIDConnect
  #error(
    "OpenIDConnect needs the trait OpenIDConnect: .package(url: \"…\", from: \"…\", traits: [\"OpenIDConnect\"]), or swift build --traits OpenIDConnect"
  )
#endif
