import type { ModelInfo, Usage } from '@palimpsest/core';
import { checkOptions, functionRule } from '@palimpsest/core/authoring';
import { type AiSdkMessage, aiSdk } from '@palimpsest/formats';
import { readUsage } from '@palimpsest/formats/wire';
import type { PageSource } from '../conversation/page-source.ts';
import type { PreparedRequest } from '../conversation/prepared-request.ts';
import type { Session } from '../session.ts';
import { type Answered, modelPageSource, type SentParams } from './model-page-source.ts';
import { asPrompt } from './prompt-parts.ts';

interface StreamPart {
  readonly type: string;
  readonly delta?: string;
  readonly error?: unknown;
}

/** Parts of a stream that come before the content of an answer. Providers of AI SDK 5 begin a text before it has a word. */
const opening = /^(?:stream-start|response-metadata|raw|text-start|reasoning-start)$/;

export interface ContextMiddlewareOptions {
  /**
   * Returns the window of a model by its id, for an agent that changes models. `undefined` keeps the session's model.
   * @default the session's model in every call
   */
  readonly model?: ((id: string) => ModelInfo | undefined) | undefined;
}

/** The parameters of a model call that {@link contextMiddleware} uses. Others are passed on. */
interface ModelCallParams {
  readonly prompt: readonly AiSdkMessage[];
  readonly maxOutputTokens?: number | undefined;
  readonly tools?: readonly unknown[] | undefined;
  readonly toolChoice?: { readonly type: string } | undefined;
  readonly responseFormat?: { readonly type: string } | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A language model of any version of the AI SDK. */
interface AnyLanguageModel<Generated, Streamed> {
  readonly specificationVersion: string;
  readonly modelId: string;
  doGenerate(params: never): PromiseLike<Generated>;
  doStream(params: never): PromiseLike<Streamed>;
}

/** A call that was answered. */
interface AnsweredCall<Result> {
  readonly result: Result;
  readonly request: PreparedRequest;
  /** The parameters with the prepared prompt. */
  readonly sent: SentParams;
}

/** A language model middleware for the versions 5, 6 and 7 of the AI SDK. */
export interface ContextMiddleware {
  readonly specificationVersion: 'v3';
  wrapGenerate<Generated>(call: {
    readonly params: ModelCallParams;
    readonly model: AnyLanguageModel<Generated, unknown>;
  }): Promise<Generated>;
  wrapStream<Streamed extends { stream: ReadableStream }>(call: {
    readonly params: ModelCallParams;
    readonly model: AnyLanguageModel<unknown, Streamed>;
  }): Promise<Streamed>;
}

/**
 * Creates a middleware for `wrapLanguageModel`, for the model of one conversation. The session prepares each prompt and
 * learns from the usage; a refusal for size is followed by a smaller prompt. Works with `generateText`, `streamText` and
 * `ToolLoopAgent`. The AI SDK keeps the whole history. Do not combine it with `contextStep` or `contextFetch`.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: contextMiddleware(session) });
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function contextMiddleware(session: Session, options: ContextMiddlewareOptions = {}): ContextMiddleware {
  checkOptions('contextMiddleware', options, { model: functionRule });
  const { adapter } = session;
  adapter.attachPages();
  /** Makes a call with the prepared prompt. Repeats it while the provider refuses its size and a smaller one is possible. */
  const send = async <Result>(
    params: ModelCallParams,
    { modelId, specificationVersion }: AnyLanguageModel<unknown, unknown>,
    call: (params: never, isRefusal: (error: unknown) => boolean) => PromiseLike<Result>,
  ): Promise<AnsweredCall<Result>> => {
    const decoded = aiSdk.decode({ messages: adapter.remember(params.prompt) });
    const { tools, abortSignal: signal } = params;
    const model = options.model?.(modelId);
    const { answer, request } = await adapter.send({
      maxTokens: params.maxOutputTokens,
      signal,
      prepare: (maxTokens) => session.beforeRequest(decoded.messages, { tools, maxTokens, signal, model }),
      async call(request) {
        const { messages: prepared, info } = request;
        const { maxTokens, provenance } = info;
        const isRefusal = (error: unknown): boolean => adapter.failureOf(error, request).action !== 'none';
        const { messages } = aiSdk.encode(decoded, { messages: prepared, provenance });
        const prompt = asPrompt(messages, decoded.native.messages, specificationVersion);
        const sent = { ...params, prompt, maxOutputTokens: maxTokens };
        return { result: await call(sent as never, isRefusal), sent };
      },
    });
    return { ...answer, request };
  };
  return {
    specificationVersion: 'v3',
    async wrapGenerate({ params, model }) {
      const { result, request, sent } = await send(params, model, (prepared) => model.doGenerate(prepared));
      const usage = readUsage(result);
      session.afterResponse(usage, request, modelPageSource(model, sent, { ...result, usage }));
      return result;
    },
    async wrapStream({ params, model }) {
      const { result, request, sent } = await send(params, model, async (prepared, isRefusal) =>
        withoutEarlyRefusal(await model.doStream(prepared), isRefusal),
      );
      const { response } = result as Pick<Answered, 'response'>;
      const sourceOf = (usage: Usage | null): PageSource => modelPageSource(model, sent, { response, usage });
      return { ...result, stream: result.stream.pipeThrough(watchStream(session, request, sourceOf)) };
    },
  };
}

/** Passes the parts of an answer on, and their usage or failure to the session. */
function watchStream(
  session: Session,
  request: PreparedRequest,
  sourceOf: (usage: Usage | null) => PageSource,
): TransformStream {
  let isFailed = false;
  return new TransformStream({
    transform(part: { readonly type: string; readonly usage?: unknown; readonly error?: unknown }, controller) {
      // Some providers finish a stream also after an error.
      if (part.type === 'finish' && !isFailed) {
        const usage = readUsage(part.usage);
        session.afterResponse(usage, request, sourceOf(usage));
      }
      if (part.type === 'error') {
        isFailed = true;
        session.noteRefusal(session.adapter.failureOf(part.error, request), request);
      }
      controller.enqueue(part);
    },
  });
}

/**
 * Waits for the first content of a streamed answer.
 * @throws the error that the stream has in place of content, if `isRefusal` says so: nothing was passed on yet, so the call
 * can be made again
 */
async function withoutEarlyRefusal<Streamed extends { readonly stream: ReadableStream }>(
  result: Streamed,
  isRefusal: (error: unknown) => boolean,
): Promise<Streamed> {
  const [ahead, stream] = result.stream.tee();
  const reader = ahead.getReader();
  let part: StreamPart | undefined;
  try {
    do part = (await reader.read()).value;
    while (part && (opening.test(part.type) || part.delta === ''));
  } catch {
    // The other branch fails in the same way.
  }
  // Resolves only when both branches are cancelled.
  void reader.cancel().catch(() => undefined);
  if (part?.type !== 'error' || !isRefusal(part.error)) return { ...result, stream };
  void stream.cancel().catch(() => undefined);
  throw part.error;
}
