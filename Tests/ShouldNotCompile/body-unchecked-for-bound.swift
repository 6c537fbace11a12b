// error: global function 'store' requires that 'NoBinding' conform to 'BoundBody'
import SigV4

func store(_ request: VerifiedRequest<some BoundBody>) {}

func serve(_ request: VerifiedRequest<NoBinding>) { store(request) }
