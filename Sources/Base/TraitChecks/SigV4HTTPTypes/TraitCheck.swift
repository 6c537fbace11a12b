#if !SigV4HTTPTypes
  #error(
    "SigV4HTTPTypes needs the trait SigV4HTTPTypes: .package(url: \"…\", from: \"…\", traits: [\"SigV4HTTPTypes\"]), or swift build --traits SigV4HTTPTypes"
  )
#endif
