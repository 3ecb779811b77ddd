import type { CompressResult, ContextEngine, Message, TokenCounter } from '@palimpsest/core';
import { promptSize } from './prompt-size.ts';
import type { SessionClock } from './session-clock.ts';

/** A session replayed request by request, one per assistant message. Sizes are in tokens. */
export interface Replay {
  /** Index of the message that answered each request. */
  readonly answeredBy: readonly number[];
  /** The size of each prompt as it was sent. */
  readonly sent: readonly number[];
  /** Tokens of the prefix that each prompt shares with the one before, which a prompt cache serves. */
  readonly shared: readonly number[];
  readonly compactions: readonly Compaction[];
  /** Number of requests over the engine's threshold whose prompt it could not shrink. */
  readonly refusals: number;
}

/** One compaction of the prompt before it was sent. */
interface Compaction {
  /** Index of the request. */
  readonly turn: number;
  readonly before: number;
  readonly after: number;
  readonly outcome: CompressResult<Message>['outcome'];
  readonly modelCalls: number;
}

export interface ReplayOptions {
  readonly tokens: TokenCounter;
  readonly overheadTokens: number;
  readonly targetTokens?: number | undefined;
  /** The engine's clock. @default no time passes */
  readonly clock?: Pick<SessionClock, 'tick'> | undefined;
  /** Called after each compaction; a rejection ends the replay. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/**
 * Replays a recorded session with an engine, as an agent loop would run it: before each request the engine may compress
 * the prompt, and the session continues with the result.
 * @param engine `null` to replay the session as recorded
 */
export async function replay(
  messages: readonly Message[],
  engine: ContextEngine | null,
  { tokens, overheadTokens, targetTokens, clock, pause }: ReplayOptions,
): Promise<Replay> {
  const answeredBy: number[] = [];
  const sent: number[] = [];
  const shared: number[] = [];
  const compactions: Compaction[] = [];
  let refusals = 0;
  let context: Message[] = [];
  let size = promptSize(tokens, overheadTokens);
  for (const [index, message] of messages.entries()) {
    if (message.role === 'assistant') {
      clock?.tick();
      const turn = sent.length;
      let stands = sent.at(-1) ?? 0;
      if (engine?.shouldCompress(size.tokens)) {
        const before = size.tokens;
        const request = { currentTokens: before, overheadTokens, targetTokens };
        const { messages: smaller, outcome, report } = await engine.compress(context, request);
        if (smaller === context) refusals++;
        else {
          const same = commonLength(context, smaller as readonly Message[]);
          context = [...(smaller as readonly Message[])];
          size = promptSize(tokens, overheadTokens);
          const standing = promptSize(tokens, overheadTokens);
          for (const [at, kept] of context.entries()) {
            size.add(kept);
            if (at < same) standing.add(kept);
          }
          stands = turn === 0 ? 0 : Math.min(stands, standing.tokens);
          compactions.push({ turn, before, after: size.tokens, outcome, modelCalls: report.modelCalls });
        }
        await pause?.();
      }
      answeredBy.push(index);
      sent.push(size.tokens);
      shared.push(Math.min(stands, size.tokens));
      engine?.updateFromResponse({ promptTokens: size.tokens, completionTokens: tokens.countMessage(message) });
    }
    context.push(message);
    size.add(message);
  }
  return { answeredBy, sent, shared, compactions, refusals };
}

function commonLength(a: readonly Message[], b: readonly Message[]): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a[length] === b[length]) length++;
  return length;
}
