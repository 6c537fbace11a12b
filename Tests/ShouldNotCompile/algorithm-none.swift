// error: type 'Algorithm' has no member 'none'
import JOSE

let algorithms: Set<Algorithm> = [.none]
