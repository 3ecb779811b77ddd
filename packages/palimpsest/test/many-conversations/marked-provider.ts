import { type Behaviour, contextWindow, type Received } from '../../../../test/loopback-server/index.ts';

/** What the provider has seen. */
export interface MarkedLog {
  requests: number;
  refused: number;
  /** Requests with the mark of another conversation, or without their own. */
  readonly mixed: string[];
}

const anyMark = /mark-[0-9a-f]{12}/g;

/** The mark of the conversation that a client says it has, in a header that the proxy passes on. */
export const markHeader = 'x-mark';

/**
 * A strict model with a window that has each conversation read files, whose paths contain its mark, and then says that it is
 * done. It searches every request for marks.
 * @param roundsOf the number of files of a conversation, by its mark
 */
export function markedProvider(
  window: number,
  roundsOf: ReadonlyMap<string, number>,
): { readonly log: MarkedLog; readonly script: (request: Received) => Behaviour } {
  const log: MarkedLog = { requests: 0, refused: 0, mixed: [] };
  const judge = contextWindow(window);
  const done = new Map<string, number>();
  return {
    log,
    script(request) {
      log.requests++;
      const mark = request.headers[markHeader] ?? '';
      const found = new Set(request.text.match(anyMark));
      const round = done.get(mark) ?? 0;
      const hasOwn = found.has(mark) || round === 0;
      if (!hasOwn || found.size > (found.has(mark) ? 1 : 0))
        log.mixed.push(`${mark}, round ${round}: ${[...found].join(', ')}`);
      const { promptTokens, refusal } = judge(request);
      if (refusal) {
        log.refused++;
        return refusal;
      }
      const usage = { promptTokens, completionTokens: 20 };
      // A request for a title.
      if (request.body.tools === undefined) return { kind: 'answer', text: `The title of ${mark}`, ...usage };
      if (round >= (roundsOf.get(mark) ?? 0)) {
        done.delete(mark);
        return { kind: 'answer', text: `All done with ${mark}.`, ...usage };
      }
      done.set(mark, round + 1);
      const input = JSON.stringify({ path: `src/${mark}/file-${round}.ts` });
      const call = { id: `call_${mark}_${round}`, name: 'read_file', arguments: input };
      return { kind: 'answer', text: `Step ${round}.`, calls: [call], ...usage };
    },
  };
}
