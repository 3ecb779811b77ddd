/** Answers worked out once for each question, the newest few dozen of them. */
export interface Remembered<Question, Answer> {
  of(question: Question): Promise<Answer>;
  forget(): void;
}

/** @param work an answer of `null` and a failure are not remembered */
export function createRemembered<Question, Answer>(
  work: (question: Question) => Promise<Answer>,
  capacity = 64,
): Remembered<Question, Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return {
    of(question) {
      const key = JSON.stringify(question);
      const known = answers.get(key);
      if (known) return known;
      const answer = work(question);
      answers.set(key, answer);
      const drop = (): void => {
        if (answers.get(key) === answer) answers.delete(key);
      };
      answer.then((value) => {
        if (value === null) drop();
      }, drop);
      if (answers.size > capacity) answers.delete(answers.keys().next().value!);
      return answer;
    },
    forget: () => answers.clear(),
  };
}
