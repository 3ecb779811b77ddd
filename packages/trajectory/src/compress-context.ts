import { agentReader } from '@palimpsest/agents';
import {
  type Clock,
  createHost,
  type EngineHost,
  type Message,
  type Summarizer,
  type SummaryTemplate,
  systemClock,
  type TokenCounter,
} from '@palimpsest/core';
import { writeHandoff } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import { compactionTemplate } from '@palimpsest/summary';
import { createTokenCounter, estimateTokens } from '@palimpsest/tokens';
import { loadExactTokenizer } from '@palimpsest/tokens/exact';
import type { CallPool, TrajectoryCalls } from './calls/call-pool.ts';
import { createLocalCallPool } from './calls/local-call-pool.ts';
import { openCalls } from './calls/trajectory-calls.ts';
import { RunOptionCheck, shown } from './option-check.ts';
import type { TurnCounter } from './row/turn-format.ts';
import {
  checkDependencies,
  type ResolvedSettings,
  resolveSettings,
  type TrajectoryOptions,
} from './trajectory-options.ts';

/** Settings and dependencies shared by all trajectories of a run. */
export interface CompressContext {
  readonly settings: ResolvedSettings;
  readonly template: SummaryTemplate;
  readonly clock: Clock;
  readonly counter: TurnCounter;
  /** True if no text can have more tokens than bytes, so that small rows need not be counted. */
  readonly isByteBounded: boolean;
  /** Tokens of an empty handoff. */
  readonly frameTokens: number;
  /** Opens the calls of one trajectory, with their statistics; `null` if no model is called. */
  openCalls(): TrajectoryCalls | null;
  /** Creates the host for one summary. @param known exact tokens of messages that are already counted */
  host(known: ReadonlyMap<Message, number>, summarizer: Summarizer | undefined): EngineHost;
}

/** Options of {@link createCompressContext}. In a thread, the calls go to a pool in the main thread. */
export type ContextOptions = TrajectoryOptions & { readonly callPool?: CallPool | undefined };

/**
 * Resolves the options and loads the tokenizer.
 * @throws {PalimpsestError} `OPTION_INVALID`, `DEPENDENCY_MISSING`
 */
export async function createCompressContext(options: ContextOptions = {}): Promise<CompressContext> {
  const check = new RunOptionCheck();
  const settings = resolveSettings(check, options);
  checkDependencies(check, options);
  const { encoding } = options;
  const isEncoding = encoding === undefined || encoding === 'o200k_base' || encoding === 'cl100k_base';
  check.expect(isEncoding, 'encoding', 'o200k_base or cl100k_base', shown(encoding));
  check.finish();
  const { summarizer, clock = systemClock, template = compactionTemplate } = options;
  const countText = options.countTokens ?? (await loadExactTokenizer(encoding));
  const messages = createTokenCounter({ countText });
  const mask = options.redact ?? ((text: string): string => redact(text, { boundary: true }));
  const offline = summarizer?.offline ? summarizer : undefined;
  const callPool =
    options.callPool ?? (summarizer && !offline ? createLocalCallPool(summarizer, settings, { clock }) : undefined);
  return {
    settings,
    template,
    clock,
    counter: {
      text: countText,
      message: (message) => messages.countMessage(message, { reasoning: true }),
      turnTokens: settings.turnTokens,
    },
    isByteBounded: options.countTokens === undefined,
    frameTokens: countText(writeHandoff('')) + settings.turnTokens,
    openCalls: () => (callPool ? openCalls(callPool) : null),
    host: (known, writer) =>
      createHost({
        tokens: roughTokens(known),
        redact: mask,
        reader: agentReader,
        clock,
        summarizer: writer ?? offline,
      }),
  };
}

/**
 * Counts tokens while a summary is written. Turns have their exact, known counts; all other text is estimated. The
 * finished summary is counted exactly by the caller.
 */
function roughTokens(known: ReadonlyMap<Message, number>): TokenCounter {
  return {
    countText: (text) => estimateTokens(text),
    countMessage: (message) => known.get(message) ?? estimateTokens(String(message.content ?? '')),
  };
}
