/**
 * Bare undici: as many requests as deliveries, with the same headers, body and concurrency, from one process.
 */
import { Pool } from 'undici'
import { answerQuestions } from '../answering.ts'

export interface Sending {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Number of requests of each consecutive measurement. */
  readonly counts: readonly number[]
  readonly inFlight: number
}

/** Returns the seconds of each measurement. */
answerQuestions<Sending, number[]>(async ({ url, headers, body, counts, inFlight }) => {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections: inFlight })
  const secondsFor = async (count: number): Promise<number> => {
    let left = count
    const sendOneAfterTheOther = async (): Promise<void> => {
      while (left-- > 0) {
        const answer = await pool.request({ path: pathname, method: 'POST', headers, body })
        if (answer.statusCode !== 200)
          throw new Error(`the receiver responded with ${String(answer.statusCode)}`)
        await answer.body.dump()
      }
    }
    const began = performance.now()
    await Promise.all(Array.from({ length: inFlight }, sendOneAfterTheOther))
    return (performance.now() - began) / 1000
  }
  const seconds: number[] = []
  for (const count of counts) seconds.push(await secondsFor(count))
  await pool.destroy()
  return seconds
})
