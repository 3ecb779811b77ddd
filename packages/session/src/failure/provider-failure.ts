import type { ProviderError, ProviderErrorKind, ProviderErrorSubject } from '@palimpsest/provider-errors';

/** The cause of a provider's refusal. */
export type FailureClass = ProviderErrorKind;

/**
 * How a session reacts to a provider error. `strip-reasoning` and `strip-tool-parts` remove content the provider does
 * not accept from the messages sent. `none`: the caller has to handle the error; nothing is compacted.
 */
export type FailureAction =
  | 'compact'
  | 'lower-output'
  | 'strip-media'
  | 'strip-reasoning'
  | 'strip-tool-parts'
  | 'none';

/**
 * A provider's refusal, classified. All numbers are stated by the provider; missing ones are `null`. Contains no text
 * from the provider.
 */
export interface ProviderFailure
  extends Pick<
    ProviderError,
    'status' | 'limitTokens' | 'promptTokens' | 'outputTokens' | 'limitBytes' | 'limitPixels'
  > {
  readonly class: FailureClass;
  readonly action: FailureAction;
  /** The content the provider refused, when the reaction depends on it. */
  readonly about?: ProviderErrorSubject | null;
  /** Token limit per request under the account's plan, such as a per-minute limit smaller than the window. */
  readonly planTokens?: number | null;
}

/** Context for classifying a refusal that does not state its cause. */
export interface FailureContext {
  /** Estimated tokens of the refused prompt. */
  readonly promptTokens?: number | undefined;
  /** The window of the model, in tokens. */
  readonly contextLength?: number | undefined;
}
