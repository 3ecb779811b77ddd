import { type AiSdkMessage, aiSdk, rememberMessages } from '@palimpsest/formats';
import { classifyFailure, type PreparedRequest, type Session } from '@palimpsest/session';

/** A message of the prompt that Mastra sends to a model. */
interface PromptMessage {
  readonly role: string;
  readonly content: unknown;
}

/** What Mastra passes before each step. */
interface StepInput {
  readonly tools?: Readonly<Record<string, unknown>> | undefined;
  readonly modelSettings?: { readonly maxOutputTokens?: number | undefined } | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** The hooks of a `Processor` of `@mastra/core` that {@link contextProcessor} has. */
export interface ContextProcessor {
  readonly id: string;
  readonly name: string;
  processInputStep(step: StepInput): Promise<undefined>;
  processLLMRequest<Message extends PromptMessage>(given: {
    readonly prompt: Message[];
    readonly abortSignal?: AbortSignal | undefined;
  }): Promise<{ prompt: Message[] } | undefined>;
  processLLMResponse(given: {
    readonly chunks: readonly { readonly type: string; readonly payload: unknown }[];
    readonly fromCache: boolean;
  }): Promise<undefined>;
  processAPIError(given: { readonly error: unknown }): Promise<{ retry: boolean }>;
}

/**
 * Creates the processor of one conversation, for `inputProcessors` and `errorProcessors` of a Mastra agent. The session
 * prepares each prompt after Mastra has built it, so memory and history stay whole, and it learns from the usage of the
 * answer. A refusal for size is followed by a smaller prompt.
 *
 * @example
 * const context = contextProcessor(session);
 * const agent = new Agent({ id, name, instructions, model, inputProcessors: [context], errorProcessors: [context] });
 */
export function contextProcessor(session: Session): ContextProcessor {
  const remember = rememberMessages();
  let step: StepInput = {};
  /** The request that waits for its answer. */
  let last: PreparedRequest | null = null;
  return {
    id: 'palimpsest',
    name: 'Palimpsest',
    async processInputStep(given) {
      step = given;
      return undefined;
    },
    async processLLMRequest<Message extends PromptMessage>({
      prompt,
      abortSignal: signal,
    }: {
      readonly prompt: Message[];
      readonly abortSignal?: AbortSignal | undefined;
    }) {
      const messages = remember(prompt) as unknown as AiSdkMessage[];
      const decoded = aiSdk.decode({ messages });
      const maxTokens = step.modelSettings?.maxOutputTokens;
      last = await session
        .beforeRequest(decoded.messages, {
          tools: declarations(step.tools),
          maxTokens,
          // A processor cannot lower the output cap, so the prompt has to leave room for it.
          leastTokens: maxTokens,
          signal: signal ?? step.abortSignal,
        })
        .catch((error: unknown) => {
          throw signal?.aborted ? signal.reason : error;
        });
      const native = aiSdk.encode(decoded, { messages: last.messages, provenance: last.info.provenance });
      if (native.messages === messages) return undefined;
      return { prompt: native.messages.map(inParts) as unknown as Message[] };
    },
    async processLLMResponse({ chunks, fromCache }) {
      // A refused call has a response too; processAPIError is called after it.
      if (chunks.some(({ type }) => type === 'error')) return undefined;
      if (last && !fromCache) session.afterResponse(usageIn(chunks), last);
      last = null;
      return undefined;
    },
    async processAPIError({ error }) {
      if (!last) return { retry: false };
      const { info } = last;
      const context = { promptTokens: info.tokens, contextLength: session.status().contextLength };
      const { retry } = await session.recover(classifyFailure(error, context), last, info.maxTokens);
      return { retry };
    },
  };
}

/** Prompts have parts where the AI SDK also accepts a text. */
function inParts(message: AiSdkMessage): AiSdkMessage {
  const { role, content: text } = message;
  if (role === 'system' || typeof text !== 'string') return message;
  const part = { type: 'text', text };
  return { ...message, content: [part] };
}

function declarations(tools: StepInput['tools']): readonly unknown[] | undefined {
  return tools && Object.entries(tools).map(([name, tool]) => ({ ...(tool as object), name }));
}

/** The usage in the last chunk that reports one. */
function usageIn(chunks: readonly { readonly payload: unknown }[]): unknown {
  const reports = chunks.flatMap(({ payload }) => {
    const { output, usage } = (payload ?? {}) as {
      readonly output?: { readonly usage?: unknown };
      readonly usage?: unknown;
    };
    return output?.usage ?? usage ?? [];
  });
  return reports.at(-1) ?? null;
}
