import type { ModelInfo } from '@palimpsest/core';
import { aiSdk } from '@palimpsest/formats';
import type { LanguageModel, ModelMessage, SystemModelMessage, ToolSet } from 'ai';
import type { PreparedRequest } from '../request/prepared-request.ts';
import type { Session } from '../session.ts';
import { declarations } from './tool-declarations.ts';

export interface ContextStepOptions {
  /** The system prompt given to `generateText` or `streamText`: it counts, and a hook may rebuild it. */
  readonly system?: string | SystemModelMessage | SystemModelMessage[] | undefined;
  /** The tools given to it: their declarations count. */
  readonly tools?: ToolSet | undefined;
  /** How long an answer may be, in tokens. @default the model's reserve */
  readonly maxOutputTokens?: number | undefined;
  /**
   * The window of the model of a step, by its id, for an agent that changes models; `undefined` leaves the session's.
   * @default the session's model in every step
   */
  readonly model?: ((id: string) => ModelInfo | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the AI SDK tells before a step, as far as it matters here. */
export interface StepInput {
  readonly messages: ModelMessage[];
  readonly steps: readonly { readonly usage: unknown }[];
  readonly model: LanguageModel;
}

/** A `prepareStep` for any set of tools. */
export type PrepareStep = (step: StepInput) => Promise<{
  messages: ModelMessage[];
  system?: string | SystemModelMessage | SystemModelMessage[];
}>;

/**
 * The `prepareStep` of `generateText`, `streamText` and agents: each step is sent what the session makes of the
 * conversation so far, and the session learns from the usage of the step before. The AI SDK keeps the whole history.
 * A refusal for size reaches the caller; `contextFetch` given to the provider answers it with a smaller request.
 *
 * @example
 * await generateText({ model, system, tools, messages, prepareStep: contextStep(session, { system, tools }) });
 */
export function contextStep(session: Session, options: ContextStepOptions = {}): PrepareStep {
  const { system, tools, maxOutputTokens: maxTokens, signal } = options;
  const declared = declarations(tools);
  /** Of the step before, to lay its usage beside. */
  let last: { readonly request: PreparedRequest; readonly step: number } | null = null;
  return async ({ messages, steps, model }) => {
    if (last && steps.length === last.step + 1) session.afterResponse(steps.at(-1)?.usage, last.request);
    last = null;
    const decoded = aiSdk.decode({ system, messages });
    const named = options.model?.(typeof model === 'string' ? model : model.modelId);
    const request = await session.beforeRequest(decoded.messages, {
      tools: await declared,
      maxTokens,
      signal,
      model: named,
    });
    last = { request, step: steps.length };
    const native = aiSdk.encode(decoded, { messages: request.messages, provenance: request.info.provenance });
    return native.system === system
      ? { messages: native.messages }
      : { messages: native.messages, system: native.system as NonNullable<typeof system> };
  };
}
