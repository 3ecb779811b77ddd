import type { ModelInfo } from '@palimpsest/core';
import { aiSdk } from '@palimpsest/formats';
import { readUsage } from '@palimpsest/formats/wire';
import type { LanguageModel, ModelMessage, SystemModelMessage, ToolSet } from 'ai';
import type { PreparedRequest } from '../conversation/prepared-request.ts';
import type { Session } from '../session.ts';
import { type AnsweredStep, stepPageSource } from './step-page-source.ts';
import { declarations } from './tool-declarations.ts';

type SystemPrompt = string | SystemModelMessage | SystemModelMessage[];

export interface ContextStepOptions<System extends SystemPrompt = SystemPrompt> {
  /** The system prompt passed to `generateText` or `streamText`. Counts toward the prompt. A hook may rebuild it. */
  readonly system?: System | undefined;
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
  readonly steps: readonly { readonly usage: unknown; readonly response?: AnsweredStep['response'] }[];
  readonly model: LanguageModel;
}

/** A `prepareStep` for any set of tools. It returns a system prompt of the type that it was given. */
export type PrepareStep<System extends SystemPrompt = SystemPrompt> = (step: StepInput) => Promise<{
  messages: ModelMessage[];
  system?: System extends string ? string : System;
}>;

/**
 * Creates the `prepareStep` of `generateText`, `streamText` and agents. The session prepares the conversation for each step
 * and learns from the usage of the previous step. The AI SDK keeps the whole history. A refusal for size reaches the
 * caller; use `contextFetch` on the provider instead to recover from it.
 *
 * @example
 * await generateText({ model, system, tools, messages, prepareStep: contextStep(session, { system, tools }) });
 */
export function contextStep<System extends SystemPrompt = string>(
  session: Session,
  options: ContextStepOptions<System> = {},
): PrepareStep<System> {
  const { system, tools, maxOutputTokens: maxTokens, signal } = options;
  const declared = declarations(tools);
  /** The previous step, to match its usage with its request. */
  let last: LastStep | null = null;
  let replaced: Replaced | null = null;
  return async ({ messages: given, steps, model }) => {
    if (last && steps.length === last.step + 1) learnFrom(session, last, steps.at(-1)!);
    last = null;
    const messages = withOriginals(given, replaced);
    const decoded = aiSdk.decode({ system, messages });
    const named = options.model?.(typeof model === 'string' ? model : model.modelId);
    const request = await session.beforeRequest(decoded.messages, {
      tools: await declared,
      maxTokens,
      signal,
      model: named,
    });
    const native = aiSdk.encode(decoded, { messages: request.messages, provenance: request.info.provenance });
    const { system: prompt, messages: sent } = native;
    last = {
      request,
      step: steps.length,
      sent: { model, system: prompt, messages: sent, tools, maxOutputTokens: maxTokens },
    };
    replaced = { originals: messages, returned: native.messages };
    if (native.system === system) return { messages: native.messages };
    return { messages: native.messages, system: native.system as System extends string ? string : System };
  };
}

/** A step, and what it sent. */
interface LastStep {
  readonly request: PreparedRequest;
  readonly step: number;
  readonly sent: Omit<AnsweredStep, 'response'>;
}

function learnFrom(
  session: Session,
  { request, sent }: LastStep,
  { response, usage }: StepInput['steps'][number],
): void {
  const { pages } = session.internals;
  // Hosts that make single steps report no answers here.
  pages.attach();
  pages.noteAnswered(request, readUsage(usage), stepPageSource({ ...sent, response }));
  session.afterResponse(usage, request);
}

/** What a step returned, and the messages that it was made from. */
interface Replaced {
  readonly originals: readonly ModelMessage[];
  readonly returned: readonly ModelMessage[];
}

/**
 * Returns the whole history. Version 7 of the AI SDK passes on what a step returned to the next step, in place of the
 * messages that it was made from.
 */
function withOriginals(given: ModelMessage[], replaced: Replaced | null): ModelMessage[] {
  if (!replaced?.returned.every((message, at) => message === given[at])) return given;
  return [...replaced.originals, ...given.slice(replaced.returned.length)];
}
