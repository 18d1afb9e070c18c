/** The process of a `Companion`. */

/** Answers the bench's questions until it disconnects. An error ends the process, and so the bench. */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Answer | Promise<Answer>,
): void {
  process.on('message', (question) => {
    void Promise.resolve(answer(question as Question)).then((result) => process.send?.(result))
  })
  process.on('disconnect', () => process.exit(0))
}
