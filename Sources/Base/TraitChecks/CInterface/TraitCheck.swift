#if !CInterface
  #error(
    "libtokensecurity needs the trait CInterface: .package(url: \"…\", from: \"…\", traits: [\"CInterface\"]), or swift build --traits CInterface"
  )
#endif
