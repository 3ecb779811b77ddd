import { isRecord } from '../json/is-record.ts';
import type { Message } from '../messages/message.ts';
import { checkOptions } from '../options/check-options.ts';
import {
  amountRule,
  choiceRule,
  countRule,
  type RulesOf,
  signalRule,
  switchRule,
  textRule,
} from '../options/option-rules.ts';
import type { Origin } from '../plans/provenance.ts';

/** Options of one compaction. Token counts are for the whole prompt. */
export interface CompressOptions {
  /** The actual size of the prompt, such as a provider's count. @default an estimate */
  readonly currentTokens?: number | undefined;
  /** Tokens of the prompt outside `messages`: tool schemas, a separate system prompt. @default 0 */
  readonly overheadTokens?: number | undefined;
  /**
   * The prompt size to compact to. Tool results that the model has not seen yet come on top, because they stay whole.
   * @default the engine decides
   */
  readonly targetTokens?: number | undefined;
  /** Topic to keep in detail. */
  readonly focusTopic?: string | undefined;
  /** `free` allows no model calls. @default 'full' */
  readonly effort?: 'free' | 'full' | undefined;
  /** Compact even below the threshold, and despite strikes and cooldowns. @default false */
  readonly force?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Leave the messages unchanged if no model could write the summary. @default the engine's own option; rules write */
  readonly abortOnSummaryFailure?: boolean | undefined;
  /** Text from the host's memory, quoted as data for the summarizer. */
  readonly memoryContext?: string | undefined;
  /** What the agent said it does next. Quoted at the end of the handoff as the agent's words. */
  readonly nextStep?: string | undefined;
  /** Keep at least this many of the newest turns (a message of the user and everything that answers it) unchanged. */
  readonly keepLastTurns?: number | undefined;
  /**
   * The caller's full history, when `messages` is a projection of it: the output of an earlier plan plus newer
   * messages. An engine may then plan over the history instead; see {@link CompressResult.basis}.
   * @default `messages` is the history
   */
  readonly source?: CompressSource | undefined;
  /**
   * Keep the engine's state and token counts until `commit()` of the result is called. Failures and model calls are recorded at
   * once. @default false
   */
  readonly hold?: boolean | undefined;
}

/** The history that a projection was made from. */
export interface CompressSource {
  readonly messages: readonly Message[];
  /** The origin in `messages` of each projected message: `provenance.output` of the earlier plan. */
  readonly origins: readonly Origin[];
}

const rules: RulesOf<CompressOptions> = {
  currentTokens: amountRule,
  overheadTokens: amountRule,
  targetTokens: amountRule,
  focusTopic: textRule,
  effort: /* @__PURE__ */ choiceRule(['free', 'full']),
  force: switchRule,
  signal: signalRule,
  abortOnSummaryFailure: switchRule,
  memoryContext: textRule,
  nextStep: textRule,
  keepLastTurns: countRule,
  hold: switchRule,
  source: { expected: '{ messages, origins }', isValid: isRecord },
};

/** Rejects invalid options, such as `NaN` for a size. @throws {PalimpsestError} `OPTION_INVALID` */
export function checkCompressOptions(options: CompressOptions): void {
  checkOptions('compress', options, rules);
}
