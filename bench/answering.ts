/** The other end of a `Companion`: what runs in its process. */

/** Answers the questions of the bench until it is gone. Whatever is thrown ends the process, and so the bench. */
export function answerQuestions<Question, Answer>(
  answer: (question: Question) => Answer | Promise<Answer>,
): void {
  process.on('message', (question) => {
    void Promise.resolve(answer(question as Question)).then((given) => process.send?.(given))
  })
  process.on('disconnect', () => process.exit(0))
}
