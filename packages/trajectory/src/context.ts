import { agentReader } from '@palimpsest/agents';
import { createHost, type EngineHost, type Message, type Summarizer } from '@palimpsest/core';
import { writeHandoff } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import { createTokenCounter, estimateTokens } from '@palimpsest/tokens';
import { loadExactTokenizer } from '@palimpsest/tokens/exact';
import { limitCalls, type OnSettled, type TrajectoryCalls } from './calls.ts';
import type { ResolvedSettings, TrajectoryOptions, TrajectorySettings } from './options.ts';
import type { TurnCounter } from './row/turn-format.ts';

/** Settings and dependencies shared by all trajectories of a run. */
export interface TrajectoryContext {
  readonly settings: ResolvedSettings;
  readonly counter: TurnCounter;
  /** Tokens of an empty handoff. */
  readonly frameTokens: number;
  /** Opens the calls of one trajectory; `null` if no model is called. */
  readonly openCalls: (() => TrajectoryCalls) | null;
  /** Creates the host for one summary. @param known exact tokens of messages that are already counted */
  host(known: ReadonlyMap<Message, number>, summarizer: Summarizer | undefined): EngineHost;
}

/**
 * Loads the tokenizer.
 * @throws {PalimpsestError} `DEPENDENCY_MISSING`
 */
export async function createContext(
  settings: ResolvedSettings,
  options: Omit<TrajectoryOptions, keyof TrajectorySettings> = {},
  onSettled?: OnSettled,
): Promise<TrajectoryContext> {
  const { encoding, summarizer } = options;
  const countText = options.countTokens ?? (await loadExactTokenizer(encoding));
  const messages = createTokenCounter({ countText });
  const mask = options.redact ?? ((text: string): string => redact(text, { boundary: true }));
  const offline = summarizer?.offline ? summarizer : undefined;
  return {
    settings,
    counter: {
      text: countText,
      message: (message) => messages.countMessage(message, { reasoning: true }),
      turnTokens: settings.turnTokens,
    },
    frameTokens: countText(writeHandoff('')) + settings.turnTokens,
    openCalls: summarizer && !offline ? limitCalls(summarizer, settings, onSettled) : null,
    host: (known, writer) =>
      createHost({
        // Turns have their exact, known counts; all other text is estimated. The caller counts the finished summary.
        tokens: {
          countText: (text) => estimateTokens(text),
          countMessage: (message) => known.get(message) ?? estimateTokens(String(message.content ?? '')),
        },
        redact: mask,
        reader: agentReader,
        summarizer: writer ?? offline,
      }),
  };
}
