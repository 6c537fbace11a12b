// error: 'secret' consumed more than once
import JOSE

func keep(_ secret: consuming SecretBytes) {}

func twice(_ secret: consuming SecretBytes) {
  keep(secret)
  keep(secret)
}
