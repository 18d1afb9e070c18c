/** `examCaller()`: the report, wrong options, and its end by a signal. */
import { describe, expect, test } from 'vitest'
import { examCaller, type CallerExamOptions, type CallerRun, type ExamProgress } from '../src/index.ts'

const book = async ({ url, key }: CallerRun): Promise<void> => {
  const response = await fetch(`${url}/crm/v1/deals`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Order 1042', pipeline_id: 'pipe_demo0000000000000001' }),
  })
  if (!response.ok) throw new Error(`the CRM answered ${String(response.status)}`)
}

describe('examCaller', () => {
  test('returns a report about a function', async () => {
    const progress: ExamProgress[] = []
    const only = ['lost_answer', 'client_errors', 'lag']
    const report = await examCaller({ run: book, only }, { onProgress: (each) => progress.push(each) })
    expect(report).toMatchObject({
      caller: 'function',
      seed: 'exam',
      result: 'passed',
      summary: { passed: 3, failed: 0, notMet: 1, notJudged: 0 },
    })
    expect(report.properties.map(({ name, grade }) => [name, grade])).toEqual([
      ['undisturbed', 'pass'],
      ['lost_answer', 'pass'],
      ['client_errors', 'pass'],
      ['lag', 'not met'],
    ])
    expect(progress[0]).toEqual({ property: 'undisturbed', done: 0, total: 4 })
    expect(progress.at(-1)).toMatchObject({ done: 4, total: 4 })
  })

  test('runs a command', async () => {
    const run = [process.execPath, '-e', 'process.exitCode = 3; console.error("no configuration")']
    const report = await examCaller({ run, only: ['waits'] })
    expect(report).toMatchObject({ result: 'failed', summary: { failed: 1, notJudged: 1 } })
    expect(report.properties[0]?.reason).toBe('The client ended with 3: no configuration.')
  })

  test.each([
    [{}, 'run must be a function, or a command'],
    [{ run: [] }, 'run must be a function, or a command'],
    [{ run: book, only: ['lost_anwser'] }, 'did you mean lost_answer?'],
    [{ run: book, timeout: 0 }, 'timeout must be 1 to 60 seconds'],
    [{ run: book, receiver: 'localhost' }, 'receiver must be a URL'],
    [{ rnu: book }, 'rnu'],
  ])('refuses %j', async (options, message) => {
    await expect(examCaller(options as unknown as CallerExamOptions)).rejects.toThrow(message)
    await expect(examCaller(options as unknown as CallerExamOptions)).rejects.toBeInstanceOf(TypeError)
  })

  test('ends with the reason of a signal', async () => {
    const stop = new AbortController()
    const run = async ({ signal }: CallerRun): Promise<void> => {
      stop.abort(new Error('enough'))
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve)
      })
    }
    await expect(examCaller({ run }, { signal: stop.signal })).rejects.toThrow('enough')
  })
})
