import type { MessageReader, PersonRecognizer, TokenCounter } from '@palimpsest/core';
import type { ToolDescriptor } from '../exchange/tool-descriptor.ts';
import type { Strategy } from '../view/strategy.ts';
import type { Gate } from './gate.ts';
import type { Protection } from './policy-settings.ts';

/** What to prune and what to protect. Every field is optional. */
export interface PrunePolicy {
  /** @default { tokens: 40_000 } */
  readonly protect?: Protection | undefined;
  /** Commit only if at least this many tokens are reclaimed. @default 20_000; 0 with `protect.transcript` */
  readonly minimum?: number | undefined;
  /**
   * The size to reach, in tokens of the messages; handoffs that a draft inserts do not count. The strategies run in order
   * until it is met. Then messages are left as they were, newest first, as far as they fit.
   * @default no limit: everything the strategies propose is pruned
   */
  readonly targetTokens?: number | undefined;
  /** Index of the first message that may be pruned. @default 0 */
  readonly from?: number | undefined;
  /** Number of newest user turns to leave unchanged. @default 2; 0 with `protect.transcript` */
  readonly keepTurns?: number | undefined;
  /**
   * Applies if the transcript has no more than `keepTurns` user turns, as in long work on one prompt. True: keep that
   * many of the newest tool exchanges instead; false: keep everything. @default true; false with `protect.transcript`
   */
  readonly stepsForTurns?: boolean | undefined;
  /** Scales `protect.tokens` and `minimum` with the model's window. Explicit numbers take precedence. */
  readonly adaptive?: { readonly contextLength: number } | undefined;
  /** Names or globs of tools whose calls and results are never edited. @default {@link protectedTools} */
  readonly protectTools?: readonly string[] | undefined;
  /** Masks secrets in all text that the pruner writes. @default no masking */
  readonly redact?: ((text: string) => string) | undefined;
  /**
   * The strategies to run, in order; `pressure` always runs first.
   * @default {@link twoPhaseStrategies}; {@link compressorStrategies} with `protect.transcript`
   */
  readonly strategies?: readonly Strategy[] | undefined;
  /**
   * Descriptors of your own tools, tried before the built-in classes. Pass the same array every time, because results
   * are memoized per array.
   */
  readonly tools?: readonly ToolDescriptor[] | undefined;
  /**
   * What replaces an old result. `stub`: a line about the call and its result; `plain`: `[Tool output pruned - was N
   * chars]`.
   * @default 'stub'
   */
  readonly placeholder?: 'stub' | 'plain' | undefined;
  /** Makes the final decision whether a prune is worth it. @default every prune that reaches the minimum is */
  readonly gate?: Gate | undefined;
  /**
   * Separates a person's words from inserted text in `prune`. `plan` and `pruneInto` use the reader of their
   * transcript.
   * @default `agentReader` of `@palimpsest/agents`
   */
  readonly reader?: MessageReader | undefined;
  /**
   * Recognizes user messages that begin a turn and can be the current task.
   * @default every user message begins a turn; the current task is the newest message with a person's words
   */
  readonly isFromPerson?: PersonRecognizer | undefined;
  /** Counts tokens in `prune`. `plan` and `pruneInto` use the counter of their transcript. @default `createTokenCounter()` */
  readonly tokens?: TokenCounter | undefined;
}
