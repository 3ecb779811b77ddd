/**
 * Serializes calls and keeps only the newest pending one, because a dragged slider sends more queries than can be
 * answered.
 * @param interrupt called with the running query and a newer one when that arrives
 */
export function newestOnly<Question>(
  work: (question: Question) => Promise<void>,
  interrupt: (running: Question, newer: Question) => void = () => {},
): (question: Question) => void {
  let running: { readonly question: Question } | null = null;
  let waiting: { readonly question: Question } | null = null;
  const run = async (question: Question): Promise<void> => {
    running = { question };
    await work(question);
    running = null;
    const next = waiting;
    waiting = null;
    if (next) await run(next.question);
  };
  return (question) => {
    if (!running) {
      void run(question);
      return;
    }
    waiting = { question };
    interrupt(running.question, question);
  };
}
