#if !PostgreSQL
  #error(
    "RecordsPostgreSQL needs the trait PostgreSQL: .package(url: \"…\", from: \"…\", traits: [\"PostgreSQL\"]), or swift build --traits PostgreSQL"
  )
#endif
