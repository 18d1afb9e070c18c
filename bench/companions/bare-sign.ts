/** One RSA-SHA256 signature after the other over a text of the size of an invoice's, with a key of 2,048 bits. */
import { generateKeyPairSync, sign } from 'node:crypto'
import { answerQuestions } from '../answering.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const text = Buffer.alloc(1000, 'a')

/** Milliseconds for each. */
answerQuestions<{ readonly times: number }, number>(({ times }) => {
  const began = performance.now()
  for (let done = 0; done < times; done++) sign('RSA-SHA256', text, privateKey)
  return (performance.now() - began) / times
})
