/** A question in the arguments of a tool that asks the user. */
export interface Question {
  readonly question: string;
  /** The name by which the result refers to the question; `''` for a question without a name. */
  readonly id: string;
}

/** Reads the questions from the arguments of a tool that asks: a list `questions`, or one `question`. */
export function readQuestions(input: Readonly<Record<string, unknown>> | null): Question[] {
  const asked = Array.isArray(input?.questions) ? (input.questions as readonly unknown[]) : [input];
  return asked.flatMap((one) => {
    const { question, id } = (one ?? {}) as Readonly<Record<string, unknown>>;
    return typeof question === 'string' && question !== '' ? [{ question, id: typeof id === 'string' ? id : '' }] : [];
  });
}
