import { dirname } from 'node:path';
import { type AnsweredCall, type Behaviour, contextWindow, type Received } from '../loopback-server/index.ts';
import { sourceFiles, type ToolInput } from './real-tools.ts';

/** Observations of a model during a run. */
export interface ModelLog {
  /** Rounds of tool calls so far. */
  rounds: number;
  /** Requests that were refused because of their form or their size. */
  readonly refused: string[];
  /** Each answered prompt: its size in tokens, and the length of the prefix it shares with the previous one. */
  readonly prompts: { readonly cachedTokens: number; readonly tokens: number }[];
}

/** Number of rounds for one request of the user. */
export const roundsForEach = 25;

/**
 * A model with a window that works on real files. It makes `rounds` rounds of one or two tool calls, and finishes the
 * request of the user after every {@link roundsForEach} rounds.
 */
export function scriptedModel(
  window: number,
  rounds: number,
): { readonly log: ModelLog; readonly script: (request: Received) => Behaviour } {
  const judge = contextWindow(window);
  const files = sourceFiles();
  const log: ModelLog = { rounds: 0, refused: [], prompts: [] };
  let resting = true;
  return {
    log,
    script(request) {
      const { promptTokens, cachedTokens, refusal } = judge(request);
      if (refusal) {
        log.refused.push(`${promptTokens} tokens`);
        return refusal;
      }
      log.prompts.push({ cachedTokens, tokens: promptTokens });
      const done = !resting && log.rounds % roundsForEach === 0;
      resting = done;
      const usage = { promptTokens, cachedTokens, completionTokens: 40 };
      if (done || log.rounds >= rounds)
        return { kind: 'answer', text: `Done with part ${log.rounds / roundsForEach}.`, ...usage };
      log.rounds++;
      return { kind: 'answer', text: `Step ${log.rounds}.`, calls: callsOf(log.rounds, files), ...usage };
    },
  };
}

function callsOf(round: number, files: readonly string[]): AnsweredCall[] {
  const file = files[(round * 7) % files.length]!;
  const call = (name: string, input: ToolInput, at = 0): AnsweredCall => ({
    id: `call_${round}_${at}`,
    name,
    arguments: JSON.stringify(input),
  });
  switch (round % 5) {
    case 1:
      return [call('list_files', { path: dirname(file) }), call('read_file', { path: file }, 1)];
    case 3:
      return [call('search', { path: file, text: 'export' })];
    case 4:
      return [
        call('write_note', { path: `note-${round}.md`, text: `Part ${round}: ${file} was read and understood.` }),
      ];
    default:
      return [call('read_file', { path: file, from: round % 3 })];
  }
}
