// error: 'secret' consumed more than once
import OneTimeCodes

func twice(_ secret: consuming OTPSecret) -> (Int, Int) {
  let one = secret
  let two = secret
  return (one.bytes.count, two.bytes.count)
}
