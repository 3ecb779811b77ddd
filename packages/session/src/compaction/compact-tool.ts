import {
  isBlank,
  type Message,
  type ToolCall,
  type ToolSchema,
  toolCallInput,
  toolCallName,
  toolCalls,
} from '@palimpsest/core';
import { isRecord, parseRecord } from '@palimpsest/core/authoring';
import type { SessionParts } from '../parts/session-parts.ts';

/** What a call of the tool says, in the agent's words. */
export interface CompactCall {
  readonly reason: string;
  /** What the agent does next. */
  readonly next: string;
}

const name = 'compact';
/** Matches the prefix that an MCP client puts before our tools. */
const server: RegExp = /^(?:mcp__)?palimpsest(?:__|[./:])/;

/** The declaration of the tool, in the format of OpenAI's chat completions. */
export const compactTool: ToolSchema = {
  type: 'function',
  function: {
    name,
    description:
      'Replace the earlier part of this conversation by a summary, before your next step. Use it when a piece of work is ' +
      'done and its details are no longer needed, not in the middle of work. Your last steps stay as they are.',
    parameters: {
      type: 'object',
      properties: {
        reason: { type: 'string', description: 'Why now, such as the piece of work that is done.' },
        next: { type: 'string', description: 'What you will do next, with the names and paths that you need for it.' },
      },
      required: ['reason', 'next'],
      additionalProperties: false,
    },
  },
};

/** True for the name of the tool. */
export function isCompactTool(called: string): boolean {
  return called.replace(server, '') === name;
}

/** Answers a call. The compaction itself follows before the next request, see {@link findCompactCall}. */
export function answerCompactCall(input: unknown): string {
  return readInput(input) === null
    ? 'Nothing is compacted: `reason` and `next` must be non-empty strings.'
    : 'The earlier part of the conversation is summarized before your next step. Continue with what you wrote under `next`.';
}

/**
 * The call that asks for a compaction before the next request; `null` for none. Read from the history alone, so that it
 * is the same in every wire format and after a restart.
 */
export function findCompactCall(
  { compactions: { chain, log }, options }: SessionParts,
  history: readonly Message[],
): CompactCall | null {
  if (!options.compactTool) return null;
  const at = history.findLastIndex(({ role }) => role === 'assistant');
  const inEffect = new Set(chain.checkpoints.map(({ number }) => number));
  const isDone = log.records.some(
    ({ number, trigger, historyMessages }) => trigger === 'agent' && historyMessages > at && inEffect.has(number),
  );
  if (at < 0 || isDone) return null;
  const call = toolCalls(history[at]!).find((one: ToolCall) => isCompactTool(toolCallName(one)));
  return call ? readInput(toolCallInput(call)) : null;
}

function readInput(input: unknown): CompactCall | null {
  const given = typeof input === 'string' ? parseRecord(input) : input;
  if (!isRecord(given)) return null;
  const { reason, next } = given;
  if (typeof reason !== 'string' || typeof next !== 'string') return null;
  return isBlank(reason) || isBlank(next) ? null : { reason, next };
}
