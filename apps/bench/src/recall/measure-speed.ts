import type { Message, Provenance } from '@palimpsest/core';
import { createRecall } from '@palimpsest/recall';
import { median } from '../spread.ts';
import { calmest, type Round, timedRound } from '../timed-round.ts';

/** Processor milliseconds. */
export interface RecallSpeed {
  readonly messages: number;
  readonly megabytes: number;
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
  const append: Round[] = [];
  const search: Round[] = [];
  for (let run = 0; run < runs; run++) {
    // New objects: nothing of an earlier run is cached.
    const fresh = structuredClone(pool.slice(0, size + steps));
    const recall = createRecall({ sessionId: `run ${run}`, redact: (text) => text });
    const follow = (length: number): void => recall.update(fresh.slice(0, length), allHidden(length));
    follow(size);
    await recall.callTool('recall', { query: 'one' });
    append.push(
      await timedRound(() => {
        for (let step = 1; step <= steps; step++) {
          follow(size + step);
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
    messages: size,
    megabytes: JSON.stringify(pool.slice(0, size)).length / 1e6,
    append: median(calmest(append)) / steps,
    search: median(calmest(search)) / queries.length,
  };
}

function allHidden(length: number): { readonly provenance: Provenance } {
  const source = Array.from({ length }, () => ({ kind: 'summarized' as const, edit: 0, reasons: [] }));
  return { provenance: { output: [], source } };
}
