import type { Message } from '@palimpsest/core';
import { createTokenCounter } from '@palimpsest/tokens';
import { median } from '../spread.ts';
import { calmest, type Round, timedRound } from '../timed-round.ts';

/** Times to count a long conversation, in milliseconds. */
export interface ConversationCost {
  readonly messages: number;
  readonly tokens: number;
  /** First count by a new counter, in processor time. */
  readonly firstMs: number;
  /** Median recount after one more message, with the array extended in place or copied. */
  readonly appendMs: number;
  readonly copyMs: number;
  /** True if replacing a message's content in place changed the count. */
  readonly noticesReplacement: boolean;
}

/** Generates an agent conversation of about `tokens` tokens from pieces of text. */
function longConversation(pieces: readonly string[], count: number, tokens: number): Message[] {
  const length = Math.round((tokens / count) * 3.55);
  let piece = 0;
  const text = (): string => {
    let built = '';
    while (built.length < length) built += `${pieces[piece++ % pieces.length]}\n`;
    // V8 keeps concatenated strings as ropes until they are first read; strings parsed from JSON are flat.
    return JSON.parse(JSON.stringify(built.slice(0, length))) as string;
  };
  return Array.from({ length: count }, (_, at): Message => {
    if (at % 20 === 0) return { role: 'user', content: text() };
    if (at % 2) {
      const call = {
        id: `call_${at}`,
        type: 'function' as const,
        function: { name: 'run', arguments: JSON.stringify({ script: text() }) },
      };
      return at % 4 === 1
        ? { role: 'assistant', content: null, tool_calls: [call] }
        : { role: 'assistant', content: 'Next.', tool_calls: [call] };
    }
    return { role: 'tool', tool_call_id: `call_${at - 1}`, content: text() };
  });
}

/** Measures `rounds` first counts, each with a new counter, and ten times as many appends. */
export async function conversationCost(
  pieces: readonly string[],
  count: number,
  tokens: number,
  rounds: number,
): Promise<ConversationCost> {
  const conversations = longConversation(pieces, count, tokens);
  const firsts: Round[] = [];
  let counter = createTokenCounter();
  let total = 0;
  for (let round = 0; round < rounds; round++) {
    counter = createTokenCounter();
    firsts.push(await timedRound(() => (total = counter.countMessages(conversations))));
  }
  const appends: number[] = [];
  const copies: number[] = [];
  let messages = conversations.slice();
  counter.countMessages(messages);
  for (let round = 0; round < rounds * 10; round++) {
    messages.push({
      role: 'tool',
      tool_call_id: 'x',
      content: `Result number ${round}, of the length that most have. `.repeat(20),
    });
    appends.push(timed(() => counter.countMessages(messages)));
    messages = [...messages, { role: 'user', content: `And now number ${round}?` }];
    copies.push(timed(() => counter.countMessages(messages)));
  }
  const before = counter.countMessages(messages);
  (messages[count >> 1] as { content: string }).content = 'Replaced.';
  return {
    messages: count,
    tokens: total,
    firstMs: median(calmest(firsts)),
    appendMs: median(appends),
    copyMs: median(copies),
    noticesReplacement: counter.countMessages(messages) !== before,
  };
}

/** Measures one call in wall-clock time; it is too short for the resolution of processor time. */
function timed(run: () => unknown): number {
  const from = performance.now();
  run();
  return performance.now() - from;
}
