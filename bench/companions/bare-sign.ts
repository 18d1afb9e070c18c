/** Consecutive RSA-SHA256 signatures of a text of the size of an invoice's, with a key of 2,048 bits. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { answerQuestions } from '../answering.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const text = Buffer.alloc(1000, 'a')

/** Returns signatures per second. */
answerQuestions<{ readonly forMs: number }, number>(({ forMs }) => {
  const began = performance.now()
  let done = 0
  for (; performance.now() - began < forMs; done++) sign('RSA-SHA256', text, privateKey)
  return (done * 1000) / (performance.now() - began)
})
