import type { Prompt, PromptMeasure } from '../provider/prompt-meter.ts';
import type { RequestInput } from './request-input.ts';

/** A request as it was sent, to interpret the provider's answer or refusal. */
export interface SentRequest {
  readonly input: RequestInput;
  /** The output cap as it was sent; that of `input`, or lower. */
  readonly maxTokens: number | undefined;
  readonly request: Prompt;
  readonly size: PromptMeasure;
  readonly model: string;
  /** Number of the checkpoint in effect; `null` without one. */
  readonly checkpoint: number | null;
  /** True for a request outside the session's conversation. Its usage report does not apply to the conversation. */
  readonly isSideRequest: boolean;
}
