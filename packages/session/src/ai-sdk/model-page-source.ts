import type { SummarizeResponse, Usage } from '@palimpsest/core';
import { type Fields, parseRecord } from '@palimpsest/core/authoring';
import { readUsage } from '@palimpsest/formats/wire';
import { allowsText } from '../adapter/allows-text.ts';
import { toPage } from '../adapter/to-page.ts';
import { hasRoom, type PageSource, pendingResult } from '../conversation/page-source.ts';

/** The parameters of a model call, as they were sent, that decide how its model can be asked. */
export interface SentParams {
  readonly prompt: readonly unknown[];
  readonly maxOutputTokens?: number | undefined;
  readonly toolChoice?: { readonly type: string } | undefined;
  readonly responseFormat?: { readonly type: string } | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A language model of any version of the AI SDK. */
interface AskedModel {
  doGenerate(params: never): PromiseLike<unknown>;
}

/** What is known of the answer to a call. */
export interface Answered {
  /** `null` if the provider reported none. */
  readonly usage: Usage | null;
  /** Parts of the answer. Not known of a stream. */
  readonly content?: unknown;
  readonly response?: { readonly headers?: Readonly<Record<string, string>> | undefined } | undefined;
}

/** Asks a language model of the AI SDK with the parameters of an answered call. */
export function modelPageSource(
  model: AskedModel,
  params: SentParams,
  { content, response, usage }: Answered,
): PageSource {
  const { maxOutputTokens: maxTokens, prompt, responseFormat, stopSequences, toolChoice } = params;
  const isPossible = allowsText({ tool_choice: toolChoice, response_format: responseFormat, stop: stopSequences });
  const post = (changes: Fields, abortSignal: AbortSignal): Promise<SummarizeResponse> =>
    generate(model, { ...params, headers: withoutKey(params.headers), ...changes, abortSignal });
  return {
    maxTokens,
    hasRoom: hasRoom(new Headers(response?.headers), usage),
    askCached: isPossible
      ? (instruction, signal) => post({ prompt: [...prompt, ...answerOf(content), question(instruction)] }, signal)
      : null,
    ask(text, answerTokens, signal) {
      const maxOutputTokens = maxTokens && Math.max(maxTokens, answerTokens);
      const bare = { tools: undefined, toolChoice: undefined, responseFormat: undefined, stopSequences: undefined };
      return post({ ...bare, maxOutputTokens, prompt: [question(text)] }, signal);
    },
  };
}

function question(text: string): Fields {
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** The provider would answer with the reply to the first request. */
function withoutKey(headers: SentParams['headers']): SentParams['headers'] {
  return headers && Object.fromEntries(Object.entries(headers).filter(([name]) => !/^idempotency-key$/i.test(name)));
}

/** The answer as messages of a prompt; none if it has parts that cannot be sent back as they are. */
function answerOf(content: unknown): Fields[] {
  if (!Array.isArray(content)) return [];
  const parts = (content as Fields[]).filter(({ type }) => type !== 'source').map(promptPart);
  if (parts.length === 0 || parts.includes(null)) return [];
  const results = (parts as Fields[]).flatMap(({ type, toolCallId, toolName }) =>
    type === 'tool-call'
      ? { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: pendingResult } }
      : [],
  );
  return [{ role: 'assistant', content: parts }, ...(results.length > 0 ? [{ role: 'tool', content: results }] : [])];
}

function promptPart({ providerMetadata, ...part }: Fields): Fields | null {
  const metadata = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
  if (part.type === 'text' || part.type === 'reasoning') return { ...part, ...metadata };
  if (part.type !== 'tool-call' || part.providerExecuted) return null;
  const input = parseRecord(String(part.input));
  return input && { ...part, input, ...metadata };
}

async function generate(model: AskedModel, params: Fields): Promise<SummarizeResponse> {
  const answer = (await model.doGenerate(params as never)) as { content: Fields[]; finishReason: unknown };
  const { content, finishReason } = answer;
  const hasCalls = content.some(({ type }) => type === 'tool-call');
  const text = content.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
  // Version 5 has a word where the later ones have an object.
  const reason = typeof finishReason === 'string' ? finishReason : (finishReason as Fields).unified;
  return toPage({ text, hasCalls, isCut: reason === 'length', usage: readUsage(answer) });
}
