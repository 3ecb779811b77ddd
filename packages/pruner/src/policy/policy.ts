import type { MessageReader, RequestRecognizer, TokenCounter } from '@palimpsest/core';
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
  /** Index of the first message that may be pruned. @default 0 */
  readonly from?: number | undefined;
  /** The newest user turns to leave unchanged. @default 2; 0 with `protect.transcript` */
  readonly keepTurns?: number | undefined;
  /**
   * If the transcript has no more user turns than `keepTurns`, as in long work on one prompt, keep that many of the
   * newest tool exchanges instead. If false, everything is kept in that case. @default true; false with `protect.transcript`
   */
  readonly stepsForTurns?: boolean | undefined;
  /** Scales `protect.tokens` and `minimum` with the model's window. Explicit numbers take precedence. */
  readonly adaptive?: { readonly contextLength: number } | undefined;
  /** Names or globs of tools whose calls and results are never edited. @default {@link protectedTools} */
  readonly protectTools?: readonly string[] | undefined;
  /** Replaces secrets in all text the pruner writes. @default nothing is replaced */
  readonly redact?: ((text: string) => string) | undefined;
  /**
   * The strategies to run, in order; `pressure` always runs first.
   * @default {@link twoPhaseStrategies}; {@link compressorStrategies} with `protect.transcript`
   */
  readonly strategies?: readonly Strategy[] | undefined;
  /** Descriptors of your own tools, tried before the built-in ones. Reuse the same array: results are memoized per array. */
  readonly tools?: readonly ToolDescriptor[] | undefined;
  /** What replaces an old result: an informative line, or `[Tool output pruned - was N chars]`. @default 'stub' */
  readonly placeholder?: 'stub' | 'plain' | undefined;
  /** Makes the final decision whether a prune is worth it. @default every prune above the minimum is */
  readonly gate?: Gate | undefined;
  /**
   * Tells a person's words from inserted text in `prune`. Elsewhere the transcript has its own reader.
   * @default `agentReader` of `@palimpsest/agents`
   */
  readonly reader?: MessageReader | undefined;
  /**
   * Recognizes the user messages that open a turn and can be the current request.
   * @default every user message opens a turn; the current request is the newest message with a person's words
   */
  readonly isRequest?: RequestRecognizer | undefined;
  /** Counts tokens in `prune`. `plan` and `pruneInto` use the counter of their transcript. @default `createTokenCounter()` */
  readonly tokens?: TokenCounter | undefined;
}
