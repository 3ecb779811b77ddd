import { count } from '@palimpsest/command-line/count';
import type { RoleLook } from '@palimpsest/eval/page/palette';
import { tokenAmount } from 'palimpsest/printing/token-amount';
import type { EngineSettings } from 'palimpsest/replay/engine-settings';
import { outcomeWords, type SourceBlock } from 'palimpsest/strips/strip-blocks';
import type { Mark } from './strip/strip.tsx';
import type { EngineView } from './worker/runner.ts';

/** The end of the window, as a mark in a strip of prompts. */
export function windowMark({ windowTokens }: EngineSettings): Mark {
  return { tokens: windowTokens, words: `window ${tokenAmount(windowTokens)}` };
}

/** Labels for roles. */
export const roleWords: Readonly<Record<RoleLook, string>> = {
  system: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool result',
  inserted: 'written by the engine',
};

/** Describes a message of the transcript: `message 12 of 410, tool result of bash, 3,210 tokens`. */
export function sourceWords(blocks: readonly SourceBlock[], index: number): string {
  const block = blocks[index];
  if (!block) return 'no message';
  return `message ${index + 1} of ${blocks.length}, ${roleOf(block)}, ${count(block.tokens)} tokens`;
}

/** Names the role of a message, and its tool: `tool result of bash`. */
export function roleOf({ look, tool }: SourceBlock): string {
  return tool === null ? roleWords[look] : `${roleWords[look]} of ${tool}`;
}

/** Describes the outcome of a message under an engine. */
export function outcomeOf(view: EngineView, index: number): string {
  const outcome = view.outcomes[index];
  return outcome ? outcomeWords[outcome.look] : 'not sent yet';
}

/** Describes a message of an engine's output. */
export function outputWords({ output }: EngineView, at: number): string {
  const block = output[at];
  if (!block) return 'no message';
  const covers = block.to > block.from ? ` in place of messages ${block.from + 1} to ${block.to}` : '';
  const what = block.look === 'inserted' ? `${roleWords.inserted}${covers}` : roleWords[block.look];
  return `message ${at + 1} of ${output.length}, ${what}, ${count(block.tokens)} tokens`;
}
