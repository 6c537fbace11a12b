internal import TokenSecurityCrypto

/// The groups of RFC 5054 appendix A, prepared once.
enum StandardGroups {
  static func group(_ standard: SRPGroup.Standard) -> Result<ModularGroup, SRPError> {
    switch standard {
    case .bits1024: bits1024
    case .bits1536: bits1536
    case .bits2048: bits2048
    case .bits3072: bits3072
    case .bits4096: bits4096
    case .bits6144: bits6144
    case .bits8192: bits8192
    }
  }

  private static let bits1024 = make(bytes(prime1024), 2)
  private static let bits1536 = make(bytes(prime1536), 2)
  private static let bits2048 = make(bytes(prime2048), 2)
  private static let bits3072 = make(.bits3072, 5)
  private static let bits4096 = make(.bits4096, 5)
  private static let bits6144 = make(.bits6144, 5)
  private static let bits8192 = make(.bits8192, 19)

  /// The larger groups have the primes of RFC 3526, which libcrypto contains.
  static func make(_ prime: ModularGroup.KnownPrime, _ generator: UInt8) -> Result<ModularGroup, SRPError> {
    make(prime.bytes, generator)
  }

  private static func make(_ prime: [UInt8], _ generator: UInt8) -> Result<ModularGroup, SRPError> {
    do {
      return .success(try ModularGroup(modulus: prime, generator: [generator]))
    } catch {
      return .failure(SRPError(error))
    }
  }

  private static func bytes(_ words: [UInt64]) -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
  }

  private static let prime1024: [UInt64] = [
    0xeeaf_0ab9_adb3_8dd6, 0x9c33_f80a_fa8f_c5e8, 0x6072_6187_75ff_3c0b, 0x9ea2_314c_9c25_6576,
    0xd674_df74_96ea_81d3, 0x383b_4813_d692_c6e0, 0xe0d5_d8e2_50b9_8be4, 0x8e49_5c1d_6089_dad1,
    0x5dc7_d7b4_6154_d6b6, 0xce8e_f4ad_69b1_5d49, 0x8255_9b29_7bcf_1885, 0xc529_f566_660e_57ec,
    0x68ed_bc3c_0572_6cc0, 0x2fd4_cbf4_976e_aa9a, 0xfd51_38fe_8376_435b, 0x9fc6_1d2f_c0eb_06e3,
  ]

  private static let prime1536: [UInt64] = [
    0x9def_3caf_b939_277a, 0xb1f1_2a86_17a4_7bbb, 0xdba5_1df4_99ac_4c80, 0xbeee_a961_4b19_cc4d,
    0x5f4f_5f55_6e27_cbde, 0x51c6_a94b_e460_7a29, 0x1558_903b_a0d0_f843, 0x80b6_55bb_9a22_e8dc,
    0xdf02_8a7c_ec67_f0d0, 0x8134_b1c8_b979_8914, 0x9b60_9e0b_e3ba_b63d, 0x4754_8381_dbc5_b1fc,
    0x764e_3f4b_53dd_9da1, 0x158b_fd3e_2b9c_8cf5, 0x6edf_0195_3934_9627, 0xdb2f_d53d_24b7_c486,
    0x6577_2e43_7d6c_7f8c, 0xe442_734a_f7cc_b7ae, 0x837c_264a_e3a9_beb8, 0x7f8a_2fe9_b8b5_292e,
    0x5a02_1fff_5e91_479e, 0x8ce7_a28c_2442_c6f3, 0x1518_0f93_499a_234d, 0xcf76_e3fe_d135_f9bb,
  ]

  private static let prime2048: [UInt64] = [
    0xac6b_db41_324a_9a9b, 0xf166_de5e_1389_582f, 0xaf72_b665_1987_ee07, 0xfc31_9294_3db5_6050,
    0xa373_29cb_b4a0_99ed, 0x8193_e075_7767_a13d, 0xd523_12ab_4b03_310d, 0xcd7f_48a9_da04_fd50,
    0xe808_3969_edb7_67b0, 0xcf60_9517_9a16_3ab3, 0x661a_05fb_d5fa_aae8, 0x2918_a996_2f0b_93b8,
    0x55f9_7993_ec97_5eea, 0xa80d_740a_dbf4_ff74, 0x7359_d041_d5c3_3ea7, 0x1d28_1e44_6b14_773b,
    0xca97_b43a_23fb_8016, 0x76bd_207a_436c_6481, 0xf1d2_b907_8717_461a, 0x5b9d_32e6_88f8_7748,
    0x5445_23b5_24b0_d57d, 0x5ea7_7a27_75d2_ecfa, 0x032c_fbdb_f52f_b378, 0x6160_2790_04e5_7ae6,
    0xaf87_4e73_03ce_5329, 0x9ccc_041c_7bc3_08d8, 0x2a56_98f3_a8d0_c382, 0x71ae_35f8_e9db_fbb6,
    0x94b5_c803_d89f_7ae4, 0x35de_236d_525f_5475, 0x9b65_e372_fcd6_8ef2, 0x0fa7_111f_9e4a_ff73,
  ]
}
