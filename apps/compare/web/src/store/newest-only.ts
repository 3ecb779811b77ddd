/**
 * Serializes calls and keeps only the newest pending one, because a dragged slider sends more queries than can be
 * answered.
 * @param interrupt called when a newer query arrives while one is running
 */
export function newestOnly<Question>(
  work: (question: Question) => Promise<void>,
  interrupt: () => void = () => {},
): (question: Question) => void {
  let busy = false;
  let waiting: { readonly question: Question } | null = null;
  const run = async (question: Question): Promise<void> => {
    busy = true;
    await work(question);
    busy = false;
    const next = waiting;
    waiting = null;
    if (next) await run(next.question);
  };
  return (question) => {
    if (!busy) {
      void run(question);
      return;
    }
    waiting = { question };
    interrupt();
  };
}
