#if !RecordsSQLite
  #error(
    "RecordsSQLite needs the trait RecordsSQLite: .package(url: \"…\", from: \"…\", traits: [\"RecordsSQLite\"]), or swift build --traits RecordsSQLite"
  )
#endif
