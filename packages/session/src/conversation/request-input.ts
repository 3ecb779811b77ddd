import type { Message } from '@palimpsest/core';
import type { Intake } from '../intake/intake.ts';
import type { RequestOptions } from './prepared-request.ts';

/** A request as the caller passed it: the conversation and what is sent with it. */
export interface RequestInput {
  readonly intake: Intake;
  readonly tools: readonly unknown[] | undefined;
  /** A system prompt outside the messages. */
  readonly system: unknown;
  readonly maxTokens: number | undefined;
  readonly minTokens: number | undefined;
  readonly signal: AbortSignal | undefined;
}

export function requestInput(
  intake: (source: readonly Message[]) => Intake,
  source: readonly Message[],
  options: RequestOptions,
): RequestInput {
  return {
    intake: intake(source),
    tools: options.tools ?? undefined,
    system: options.system,
    maxTokens: options.maxTokens ?? undefined,
    minTokens: options.minTokens,
    signal: options.signal,
  };
}
