import type { Message, Provenance } from '@palimpsest/core';
import { createRecall } from '@palimpsest/recall';
import { median } from '../spread.ts';
import { calmest, type Round, timedRound } from '../timed-round.ts';

/** Processor milliseconds. */
export interface RecallSpeed {
  readonly messages: number;
  readonly megabytes: number;
  /** The first search, which builds the index. */
  readonly index: number;
  /** Following a history that is one message longer. */
  readonly append: number;
  readonly search: number;
}

const queries = ['TypeError undefined', 'src/index.ts', 'the failing test', 'config port', 'npm install', 'function'];
/** Updates in one round. */
const steps = 20;

/** Times recall on a history of real messages, all of them hidden. */
export async function measureRecallSpeed(pool: readonly Message[], count: number, runs: number): Promise<RecallSpeed> {
  const size = Math.min(count, pool.length - steps);
  const history = pool.slice(0, size);
  const index: Round[] = [];
  const append: Round[] = [];
  const search: Round[] = [];
  for (let run = 0; run < runs; run++) {
    // New objects: nothing of an earlier run is cached.
    const fresh = structuredClone(history);
    const recall = createRecall({ sessionId: `run ${run}`, redact: (text) => text });
    recall.update(fresh, allHidden(fresh));
    index.push(await timedRound(() => recall.callTool('recall', { query: 'one' })));
    const added = structuredClone(pool.slice(size, size + steps));
    const longer = added.map((_, at) => {
      const messages = [...fresh, ...added.slice(0, at + 1)];
      return { messages, projection: allHidden(messages) };
    });
    append.push(
      await timedRound(() => {
        for (const { messages, projection } of longer) {
          recall.update(messages, projection);
          recall.refsOf(0);
        }
      }),
    );
    search.push(
      await timedRound(async () => {
        for (const query of queries) await recall.callTool('recall', { query });
      }),
    );
  }
  return {
    messages: history.length,
    megabytes: JSON.stringify(history).length / 1e6,
    index: median(calmest(index)),
    append: median(calmest(append)) / steps,
    search: median(calmest(search)) / queries.length,
  };
}

function allHidden(messages: readonly Message[]): { readonly provenance: Provenance } {
  return { provenance: { output: [], source: messages.map(() => ({ kind: 'summarized', edit: 0, reasons: [] })) } };
}
