import type { ProviderError, ProviderErrorKind, ProviderErrorSubject } from '@palimpsest/provider-errors';

/** What a provider's refusal is about. */
export type FailureClass = ProviderErrorKind;

/**
 * What a session does about it. `strip-reasoning` and `strip-tool-parts` remove what the provider does not accept from
 * the messages it is sent. `none`: the error is the caller's to handle, and nothing is compressed.
 */
export type FailureAction =
  | 'compress'
  | 'lower-output'
  | 'strip-media'
  | 'strip-reasoning'
  | 'strip-tool-parts'
  | 'none';

/** A provider's refusal, classified. Every figure is one the provider states; what it leaves out is `null`. Holds no text of the provider. */
export interface ProviderFailure
  extends Pick<
    ProviderError,
    'status' | 'limitTokens' | 'promptTokens' | 'outputTokens' | 'limitBytes' | 'limitPixels'
  > {
  readonly class: FailureClass;
  readonly action: FailureAction;
  /** What exactly is refused, where that changes what helps. */
  readonly about?: ProviderErrorSubject | null;
  /** The most tokens one request may have under the plan, such as a limit per minute that is smaller than the window. */
  readonly planTokens?: number | null;
}

/** What helps to judge a refusal that does not say what is wrong. */
export interface FailureContext {
  /** Estimated tokens of the refused prompt. */
  readonly promptTokens?: number | undefined;
  /** The window of the model, in tokens. */
  readonly contextLength?: number | undefined;
}
