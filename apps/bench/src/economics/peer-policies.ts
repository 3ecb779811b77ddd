import { contentText, isToolResult, type Message } from '@palimpsest/core';
import type { Policy, Simulated } from '@palimpsest/eval/measures';
import { observationalMemory } from './observational-memory.ts';
import { callWithCache, ordinaryCall, summaryPolicy, tailWithin } from './summarizing.ts';

/** Cuts the text of a tool result. */
const cutResult =
  (characters: number) =>
  (message: Message): Message => {
    const text = isToolResult(message) ? contentText(message.content) : '';
    return text.length <= characters ? message : { ...message, content: `${text.slice(0, characters)} [truncated]` };
  };

const clearLongResult = (message: Message): Message =>
  isToolResult(message) && contentText(message.content).length > 200
    ? { ...message, content: '[Old tool output cleared to save context space]' }
    : message;

/** Clears tool results beyond the newest 40,000 tokens of them, outside the last two turns, if that saves 20,000. */
function pruneLikeKilo(messages: readonly Message[], { countMessage, isFromPerson }: Simulated): readonly Message[] {
  const cleared = '[Old tool result content cleared]';
  const pruned = [...messages];
  let [turns, seen, saved] = [0, 0, 0];
  for (let at = messages.length - 1; at >= 0; at--) {
    const message = messages[at]!;
    if (isFromPerson(message)) turns++;
    if (turns < 2 || !isToolResult(message)) continue;
    if (message.content === cleared) break;
    seen += countMessage(message);
    if (seen <= 40_000) continue;
    saved += countMessage(message);
    pruned[at] = { ...message, content: cleared };
  }
  return saved > 20_000 ? pruned : messages;
}

/** The newest messages of the user, up to 20,000 tokens. */
function newestTurns(summarized: readonly Message[], { countMessage, isFromPerson }: Simulated): readonly Message[] {
  const kept: Message[] = [];
  let left = 20_000;
  for (const message of summarized.filter(isFromPerson).reverse()) {
    left -= countMessage(message);
    if (left < 0) break;
    kept.unshift(message);
  }
  return kept;
}

/** The five newest file reads of up to 5,000 tokens each: results of tools whose name begins with "read". */
function newestFiles(summarized: readonly Message[]): readonly Message[] {
  const reads = new Set(
    summarized.flatMap(({ tool_calls }) =>
      (tool_calls ?? [])
        .filter((call) => call.type === 'function' && /^read/i.test(call.function.name))
        .map(({ id }) => id),
    ),
  );
  return summarized
    .filter(({ tool_call_id }) => tool_call_id !== undefined && reads.has(tool_call_id))
    .slice(-5)
    .map(({ content }) => ({ role: 'user', content: contentText(content).slice(0, 20_000) }));
}

const reserve = (tokens: number) => (window: number) => window - Math.min(tokens, window / 5);
const everything = ({ messages }: { readonly messages: readonly Message[] }): number => messages.length;

/** Default policies of published agents and libraries. */
export const peerPolicies: readonly Policy[] = [
  summaryPolicy({
    name: 'Hermes Agent f83c27e',
    rule: 'at 50 % (64,000 at least) summarizes all but 3 messages and a tail of a fifth of the threshold; long results are cleared before one call',
    source: '"How compaction works in Hermes" and the deep dive on `agent/context_compressor.py`',
    threshold: (window) => Math.max(window / 2, Math.min(64_000, window * 0.85)),
    head: 3,
    read: clearLongResult,
    tailStart: ({ messages, world }) =>
      tailWithin(messages, Math.max(world.window / 2, Math.min(64_000, world.window * 0.85)) / 5, world),
  }),
  summaryPolicy({
    name: 'Claude Code 2.1',
    rule: 'at the window less 33,000 summarizes everything, with a call on the cached prefix; restores the 5 newest files, 5,000 tokens each',
    source: 'published descriptions of its constants; the shared transcripts compact at 155,000 to 177,000 of 200,000',
    threshold: reserve(33_000),
    tailStart: everything,
    restore: newestFiles,
    calls: (sizes) => [callWithCache(sizes)],
  }),
  summaryPolicy({
    name: 'Codex 0100b10',
    rule: 'at 90 % summarizes everything, with a call on the cached prefix; keeps the newest 20,000 tokens of user messages',
    source: '`codex-rs/core/src/compact.rs`; the 90 % are from descriptions, not from that file',
    threshold: (window) => window * 0.9,
    tailStart: everything,
    restore: newestTurns,
    calls: (sizes) => [callWithCache(sizes)],
  }),
  summaryPolicy({
    name: 'opencode 31e22f6',
    rule: 'at the window less 20,000 summarizes all but a quarter of that, 15,000 tokens at most; one call reads results of up to 2,000 characters; pruning is off',
    source: '`packages/opencode/src/session/compaction.ts`; the 20,000 are from descriptions, not from that file',
    threshold: reserve(20_000),
    read: cutResult(2_000),
    tailStart: ({ messages, world }) =>
      tailWithin(messages, Math.min(15_000, reserve(20_000)(world.window) / 4), world),
  }),
  summaryPolicy({
    name: 'Kilo Code, two phases (version unknown)',
    rule: 'when a request comes, clears results beyond the newest 40,000 tokens if that saves 20,000; at the window less 20,000 summarizes everything, one call',
    source: 'the description of its `session/compaction.ts` in the issue on two-phase compaction of Hermes Agent',
    threshold: reserve(20_000),
    prune: pruneLikeKilo,
    tailStart: everything,
  }),
  summaryPolicy({
    name: 'pi 0.74.2',
    rule: 'at the window less 16,384 summarizes all but 20,000 tokens; results are read up to 2,000 characters; a second call for the part of a split turn',
    source:
      '`dist/core/compaction/compaction.js` of `@earendil-works/pi-coding-agent`; the size of the second call is assumed',
    threshold: reserve(16_384),
    read: cutResult(2_000),
    tailStart: ({ messages, world }) => tailWithin(messages, Math.min(20_000, world.window / 4), world),
    calls: (sizes) => [ordinaryCall(sizes), { inputTokens: 500, prefixTokens: 0, outputTokens: 1_000 }],
  }),
  summaryPolicy({
    name: 'Gemini CLI 0.61.0',
    rule: 'at 50 % summarizes 70 % of the text, up to a message of the user; two calls, the second one checks the first and reads the same prefix',
    source: '`dist/src/context/chatCompressionService.js` of `@google/gemini-cli-core`',
    threshold: (window) => window / 2,
    tailStart: ({ messages, world }) => {
      const total = messages.reduce((tokens, message) => tokens + world.countMessage(message), 0);
      let [before, last] = [0, 0];
      for (const [at, message] of messages.entries()) {
        if (message.role === 'user') {
          if (before >= total * 0.7) return at;
          last = at;
        }
        before += world.countMessage(message);
      }
      return last;
    },
    calls: (sizes) => [
      ordinaryCall(sizes),
      { ...ordinaryCall(sizes), inputTokens: sizes.readTokens + sizes.summaryTokens, prefixTokens: sizes.readTokens },
    ],
  }),
  summaryPolicy({
    name: 'Deep Agents 1.14.1',
    rule: 'at 85 % summarizes all but 10 % of the window, one call',
    source: 'the summarization middleware of `deepagents` (LangChain)',
    threshold: (window) => window * 0.85,
    tailStart: ({ messages, world }) => tailWithin(messages, world.window / 10, world),
  }),
  summaryPolicy({
    name: 'Strands Agents 1.19.0, SummarizingConversationManager',
    rule: 'when the provider refuses (at the window), summarizes the oldest 30 % of the messages, but not the newest 10; one call',
    source:
      '`conversation-manager/summarizing-conversation-manager.js` of `@strands-agents/sdk`; a refusal is assumed at 96 % of the window',
    threshold: (window) => window * 0.96,
    tailStart: ({ messages }) => {
      let to = Math.min(Math.max(1, Math.floor(messages.length * 0.3)), messages.length - 10);
      while (to < messages.length && to > 0 && isToolResult(messages[to]!)) to++;
      return to;
    },
  }),
  observationalMemory,
];
