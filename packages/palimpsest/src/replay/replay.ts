import {
  type CompressResult,
  type ContextEngine,
  compose,
  type Edit,
  type Message,
  type TokenCounter,
} from '@palimpsest/core';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import type { PageTokens, RecordedPages } from './recorded-pages.ts';

/** Incremental token count of a growing prompt. Equals the count of `Transcript`. */
interface PromptSize {
  readonly tokens: number;
  add(message: Message): void;
}

/**
 * A session replayed request by request: one per assistant message, and one more if the session ends with messages that
 * the assistant has not answered. Sizes are in tokens.
 */
export interface EngineReplay {
  /** Index of the message that answered each request; the number of messages for a request without an answer. */
  readonly answeredBy: readonly number[];
  /** The size of each prompt as it was sent. */
  readonly sent: readonly number[];
  /** Tokens of the prefix that each prompt shares with the one before, which a prompt cache serves. */
  readonly shared: readonly number[];
  readonly compactions: readonly Compaction[];
  /** The prompt size at which the engine compacts at first; `null` without an engine. */
  readonly thresholdTokens: number | null;
  /** Number of requests over the engine's threshold whose prompt it could not shrink. */
  readonly refusals: number;
}

/** A replay, and what is needed to read the prompt of any of its requests; see `promptAt`. */
export interface ReplayRun {
  readonly figures: EngineReplay;
  /** After each compaction, the edits of all compactions so far, relative to the recorded messages. */
  readonly plans: readonly (readonly Edit[])[];
}

/** The sizes of a replay. */
export type ReplaySizes = Pick<EngineReplay, 'sent' | 'shared' | 'refusals'> & {
  readonly compactions: readonly Pick<Compaction, 'turn' | 'page'>[];
};

/** One compaction of the prompt before it was sent. */
interface Compaction {
  /** Index of the request. */
  readonly turn: number;
  readonly before: number;
  readonly after: number;
  readonly outcome: CompressResult<Message>['outcome'];
  readonly modelCalls: number;
  /** The page that a model wrote for it; `null` for none. */
  readonly page: PageTokens | null;
  /** The last phase that changed a message. */
  readonly phase: string | null;
  readonly durationMs: number;
  readonly warnings: readonly string[];
}

/** How a session is replayed with an engine. */
interface ReplayOptions {
  readonly targetTokens?: number | undefined;
  /** Called before each request. */
  readonly tick?: (() => void) | undefined;
  /** Called after each compaction; a rejection ends the replay. */
  readonly pause?: (() => Promise<void>) | undefined;
  /** The engine's summarizer. The replay ends as soon as a page is missing. */
  readonly pages?: RecordedPages | null | undefined;
}

/**
 * Replays a recorded session with an engine, as an agent loop would run it: before each request the engine may compact
 * the prompt, and the session continues with the result.
 * @param engine `null` to replay the session as recorded
 */
export async function replay(
  { messages, tokens, overheadTokens }: Sample,
  engine: ContextEngine | null,
  { targetTokens, tick, pause, pages }: ReplayOptions = {},
): Promise<ReplayRun> {
  const answeredBy: number[] = [];
  const sent: number[] = [];
  const shared: number[] = [];
  const compactions: Compaction[] = [];
  const plans: (readonly Edit[])[] = [];
  const thresholdTokens = engine?.state.thresholdTokens ?? null;
  let refusals = 0;
  let context: Message[] = [];
  let size = promptSize(tokens, overheadTokens);
  const send = async (index: number): Promise<void> => {
    tick?.();
    const turn = sent.length;
    let prefixTokens = sent.at(-1) ?? 0;
    if (engine?.shouldCompress(size.tokens)) {
      const before = size.tokens;
      const request = { currentTokens: before, overheadTokens, targetTokens };
      const started = performance.now();
      const { messages: smaller, outcome, report, edits } = await engine.compress(context, request);
      // The engine's own clock may be that of the session.
      const durationMs = performance.now() - started;
      if (smaller === context) refusals++;
      else {
        plans.push(compose(messages.slice(0, index), plans.at(-1) ?? [], edits));
        const same = commonLength(context, smaller as readonly Message[]);
        context = [...(smaller as readonly Message[])];
        size = promptSize(tokens, overheadTokens);
        const prefix = promptSize(tokens, overheadTokens);
        for (const [at, kept] of context.entries()) {
          size.add(kept);
          if (at < same) prefix.add(kept);
        }
        prefixTokens = turn === 0 ? 0 : Math.min(prefixTokens, prefix.tokens);
        const { modelCalls, warnings } = report;
        const phase = report.phases.findLast(({ messages: changed }) => changed > 0)?.name ?? null;
        const page = pages?.takeTokens() ?? null;
        compactions.push({ turn, before, after: size.tokens, outcome, modelCalls, page, phase, durationMs, warnings });
      }
      await pause?.();
    }
    answeredBy.push(index);
    sent.push(size.tokens);
    shared.push(Math.min(prefixTokens, size.tokens));
  };
  for (const [index, message] of messages.entries()) {
    if (pages?.hasMissed) break;
    if (message.role === 'assistant') {
      await send(index);
      engine?.updateFromResponse({ promptTokens: size.tokens, completionTokens: tokens.countMessage(message) });
    }
    context.push(message);
    size.add(message);
  }
  if (messages.length > 0 && messages.at(-1)!.role !== 'assistant') await send(messages.length);
  return { figures: { answeredBy, sent, shared, compactions, thresholdTokens, refusals }, plans };
}

function commonLength(a: readonly Message[], b: readonly Message[]): number {
  const limit = Math.min(a.length, b.length);
  let length = 0;
  while (length < limit && a[length] === b[length]) length++;
  return length;
}

/** @param overheadTokens tokens sent in addition to the messages */
function promptSize(counter: TokenCounter, overheadTokens: number): PromptSize {
  let tokens = overheadTokens;
  // Providers drop reasoning from before the latest user message.
  let reasoning = 0;
  return {
    get tokens() {
      return tokens + reasoning;
    },
    add(message) {
      const bare = counter.countMessage(message);
      tokens += bare;
      reasoning = message.role === 'user' ? 0 : reasoning + counter.countMessage(message, { reasoning: true }) - bare;
    },
  };
}
