// error: 'DPoPProof' initializer is inaccessible due to 'internal' protection level
import OpenIDConnect

func forge(_ token: VerifiedToken) -> DPoPProof { DPoPProof(token: token, thumbprint: "") }
