import { isRecallTool } from '@palimpsest/agents';
import { count } from '@palimpsest/command-line/count';
import { type Message, type MessageOutcome, toolCallName, toolCalls } from '@palimpsest/core';
import type { RoleLook } from '@palimpsest/eval/page/palette';
import { createTokenCounter } from '@palimpsest/tokens';
import type { ShownRequest } from '../conversations/conversation.ts';
import { outcomeBlocks, outcomeWords, outputBlocks } from '../strips/strip-blocks.ts';
import { reasonWords } from './reason-words.ts';

/** A part of a strip: a message, or what is left of it. */
export interface LiveBlock {
  /** Index of the message in the history; `null` for anything else, such as a handoff or the tools. */
  readonly message: number | null;
  readonly tokens: number;
  readonly look: RoleLook | MessageOutcome['kind'];
  /** Describes the block, and why its message was changed. Contains no text of the conversation. */
  readonly words: string;
}

/** What a request holds, and what left it. */
export interface LiveBlocks {
  /** In the order of the request. */
  readonly now: readonly LiveBlock[];
  /** What was removed or shortened of the agent's own messages, in the order of the history. */
  readonly left: readonly LiveBlock[];
}

/** Each request is drawn many times. */
const known = new WeakMap<ShownRequest, LiveBlocks>();

/** The blocks of a request. Their sizes add up to what the provider counts. */
export function liveBlocks(shown: ShownRequest): LiveBlocks {
  const before = known.get(shown);
  if (before) return before;
  const blocks = readBlocks(shown);
  known.set(shown, blocks);
  return blocks;
}

function readBlocks({ history, request }: ShownRequest): LiveBlocks {
  const counter = createTokenCounter();
  const estimate = counter.countRequest(request);
  const scale = estimate > 0 ? request.info.tokens / estimate : 1;
  const applied = { messages: request.messages, provenance: request.info.provenance };
  const size = (tokens: number): number => Math.round(tokens * scale);
  const sent = outputBlocks({ tokens: counter }, applied);
  const rest = size(estimate - sent.reduce((sum, { tokens }) => sum + tokens, 0));
  const now = sent.map(({ tokens, look, from }, at): LiveBlock => {
    const { kind } = applied.provenance.output[at]!;
    if (kind === 'inserted')
      return { message: null, tokens: size(tokens), look, words: `handoff, ${tokenWords(size(tokens))}` };
    const words = `${messageName(history[from], from)}, ${tokenWords(size(tokens))}${kind === 'rewritten' ? ' left' : ''}`;
    return { message: from, tokens: size(tokens), look: kind === 'rewritten' ? kind : look, words };
  });
  const searches = searchesIn(history);
  const left = outcomeBlocks({ messages: history, tokens: counter }, applied).flatMap(
    ({ tokens, look, left: share, notes }, at): LiveBlock[] => {
      const gone = size(look === 'rewritten' ? tokens * (1 - share) : tokens);
      if (searches.has(at) || look === 'kept' || (look !== 'carried' && gone <= 0)) return [];
      // It moved to another place, and takes as many tokens there.
      if (look === 'carried')
        return [{ message: at, tokens: 0, look, words: `${messageName(history[at], at)}: ${outcomeWords[look]}` }];
      const why = notes.length > 0 ? notes.map(reasonWords).join(', ') : outcomeWords[look];
      return [
        { message: at, tokens: gone, look, words: `${messageName(history[at], at)}, ${tokenWords(gone)}: ${why}` },
      ];
    },
  );
  const tools: LiveBlock = {
    message: null,
    tokens: rest,
    look: 'system',
    words: `instructions and tools, ${tokenWords(rest)}`,
  };
  return { now: rest > 0 ? [tools, ...now] : now, left };
}

/** Indices of searches with `recall`. Most are the session's own: the agent never sent them, so nothing is saved when they leave. */
function searchesIn(history: readonly Message[]): ReadonlySet<number> {
  const found = new Set<number>();
  const ids = new Set<unknown>();
  for (const [at, message] of history.entries()) {
    const calls = toolCalls(message);
    const isSearch = calls.length > 0 && calls.every((call) => isRecallTool(toolCallName(call)));
    if (isSearch) for (const { id } of calls) ids.add(id);
    if (isSearch || (message.role === 'tool' && ids.has(message.tool_call_id))) found.add(at);
  }
  return found;
}

function messageName(message: Message | undefined, at: number): string {
  const role = message?.role ?? 'message';
  return `${at + 1} ${role === 'tool' || role === 'function' ? 'tool result' : role}`;
}

function tokenWords(tokens: number): string {
  return `${count(tokens)} tokens`;
}
