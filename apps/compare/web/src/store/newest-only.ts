/**
 * Answers questions one at a time. While one is being worked on only the newest of the others waits: a slider that is
 * dragged asks faster than anybody needs to know.
 * @param interrupt called when a newer question comes up while one is being worked on
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
