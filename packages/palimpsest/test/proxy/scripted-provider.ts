import { type Behaviour, contextWindow, type Received } from '../../../../test/loopback-server/index.ts';

/** What a scripted provider has seen. */
export interface ProviderLog {
  /** Requests that were refused because of their size. */
  readonly refused: string[];
  /** Sizes of the answered prompts, and of the part each shares with the prompt before. Tokens. */
  readonly prompts: { readonly tokens: number; readonly cachedTokens: number }[];
}

/**
 * A model with a window that asks for a file in each of `rounds` rounds, and then says that it is done.
 * @param roundsPerTask it also says so after each time this many rounds
 */
export function scriptedProvider(
  window: number,
  rounds: number,
  roundsPerTask: number = rounds,
): { readonly log: ProviderLog; readonly script: (request: Received) => Behaviour } {
  const judge = contextWindow(window);
  const log: ProviderLog = { refused: [], prompts: [] };
  let round = 0;
  let endedAt = 0;
  return {
    log,
    script(request) {
      const { promptTokens, cachedTokens, refusal } = judge(request);
      if (refusal) {
        log.refused.push(`${promptTokens} tokens`);
        return refusal;
      }
      log.prompts.push({ tokens: promptTokens, cachedTokens });
      const usage = { promptTokens, cachedTokens, completionTokens: 20 };
      const isTaskDone = round >= endedAt + roundsPerTask;
      if (isTaskDone) endedAt = round;
      if (isTaskDone || round >= rounds) return { kind: 'answer', text: 'All done.', ...usage };
      round++;
      const call = {
        id: `call_${round}`,
        name: 'read_file',
        arguments: JSON.stringify({ path: `src/file-${round}.ts` }),
      };
      return { kind: 'answer', text: `Step ${round}.`, calls: [call], ...usage };
    },
  };
}
