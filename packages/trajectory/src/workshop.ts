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
import type { CallDesk, TrajectoryCalls } from './calls/call-desk.ts';
import { createLocalDesk } from './calls/local-desk.ts';
import { openCalls } from './calls/trajectory-calls.ts';
import type { TurnCounter } from './row/turn-format.ts';
import { type ResolvedSettings, resolveSettings, type TrajectoryOptions } from './trajectory-options.ts';

/** Everything that trajectories of a run are compressed with. */
export interface Workshop {
  readonly settings: ResolvedSettings;
  readonly template: SummaryTemplate;
  readonly clock: Clock;
  readonly counter: TurnCounter;
  /** True when no text has more tokens than bytes, so that small rows need not be counted. */
  readonly isByteBounded: boolean;
  /** Tokens of a handoff without a body. */
  readonly frameTokens: number;
  /** What writes the summaries of one trajectory, with its account of calls; `null` when no model is called. */
  openCalls(): TrajectoryCalls | null;
  /** A host for one summary. @param known exact tokens of messages that were counted already */
  host(known: ReadonlyMap<Message, number>, summarizer: Summarizer | undefined): EngineHost;
}

/** Options, and for threads a desk elsewhere in place of a summarizer. */
export type WorkshopOptions = TrajectoryOptions & { readonly desk?: CallDesk | undefined };

/**
 * Prepares a workshop. Loads the tokenizer.
 * @throws {PalimpsestError} `OPTION_INVALID`, `DEPENDENCY_MISSING`
 */
export async function openWorkshop(options: WorkshopOptions = {}): Promise<Workshop> {
  const settings = resolveSettings(options);
  const { summarizer, clock = systemClock, template = compactionTemplate } = options;
  const countText = options.countTokens ?? (await loadExactTokenizer(options.encoding));
  const messages = createTokenCounter({ countText });
  const mask = options.redact ?? ((text: string): string => redact(text, { boundary: true }));
  const offline = summarizer?.offline ? summarizer : undefined;
  const desk = options.desk ?? (summarizer && !offline ? createLocalDesk(summarizer, settings, { clock }) : undefined);
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
    openCalls: () => (desk ? openCalls(desk) : null),
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
 * What a summary is written by: turns are counted once, exactly; everything else is estimated, and only what comes out
 * is counted again.
 */
function roughTokens(known: ReadonlyMap<Message, number>): TokenCounter {
  return {
    countText: (text) => estimateTokens(text),
    countMessage: (message) => known.get(message) ?? estimateTokens(String(message.content ?? '')),
  };
}
