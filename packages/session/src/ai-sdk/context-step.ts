import type { ModelInfo } from '@palimpsest/core';
import { aiSdk } from '@palimpsest/formats';
import type { LanguageModel, ModelMessage, SystemModelMessage, ToolSet } from 'ai';
import type { PreparedRequest } from '../request/prepared-request.ts';
import type { Session } from '../session.ts';
import { declarations } from './tool-declarations.ts';

export interface ContextStepOptions {
  /** The system prompt passed to `generateText` or `streamText`. Counts toward the prompt. A hook may rebuild it. */
  readonly system?: string | SystemModelMessage | SystemModelMessage[] | undefined;
  /** The tools passed to `generateText` or `streamText`. Their declarations count toward the prompt. */
  readonly tools?: ToolSet | undefined;
  /** Maximum length of an answer, in tokens. @default the model's `reserveOutputTokens` */
  readonly maxOutputTokens?: number | undefined;
  /**
   * Returns the window of a step's model by its id, for an agent that changes models. `undefined` keeps the session's
   * model. @default the session's model in every step
   */
  readonly model?: ((id: string) => ModelInfo | undefined) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The arguments of `prepareStep` that {@link contextStep} uses. */
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
 * Creates the `prepareStep` of `generateText`, `streamText` and agents. The session prepares the conversation for each step
 * and learns from the usage of the previous step. The AI SDK keeps the whole history. A refusal for size reaches the
 * caller; use `contextFetch` on the provider instead to recover from it.
 *
 * @example
 * await generateText({ model, system, tools, messages, prepareStep: contextStep(session, { system, tools }) });
 */
export function contextStep(session: Session, options: ContextStepOptions = {}): PrepareStep {
  const { system, tools, maxOutputTokens: maxTokens, signal } = options;
  const declared = declarations(tools);
  /** The previous step, to match its usage with its request. */
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
