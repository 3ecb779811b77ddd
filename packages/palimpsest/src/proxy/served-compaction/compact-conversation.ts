import type { CompressReport, Message, Summarizer, Usage } from '@palimpsest/core';
import { answerReader, type Body, type Wire } from '@palimpsest/formats/wire';
import { type ContextConfig, createEngineHost, type Registry } from '@palimpsest/registry';
import { toPage } from '@palimpsest/session/adapter';
import type { FetchFunction } from '@palimpsest/session/fetch';
import type { ModelCounter } from '@palimpsest/tokens/models';
import { readableText } from './readable-text.ts';

/** What a conversation is compacted with. */
export interface CompactingParts {
  readonly registry: Registry;
  readonly config: ContextConfig;
  readonly tokens: ModelCounter;
  /** Who writes the summaries. */
  readonly summaries: 'model' | 'rules';
  readonly fetch: FetchFunction;
  /** Called when a compaction failed. */
  readonly onProblem: (message: string) => void;
}

/** A conversation to compact, with the request that it came in. */
export interface ConversationToCompact {
  readonly wire: Wire;
  /** Where the model is asked for a summary. */
  readonly url: URL;
  readonly headers: Headers;
  readonly body: Body;
  /** The size of its prompt in tokens, as an estimate. */
  readonly size: number;
  /** What the client wants to be kept in detail. */
  readonly instructions: string | null;
  /** Signs the handoff. */
  readonly handoffKey: string | undefined;
  readonly signal: AbortSignal;
}

/** A compacted conversation. */
export interface CompactedConversation {
  readonly body: Body;
  /** Its messages as text; see {@link readableText}. */
  readonly text: string;
  /** The messages that were removed or changed. */
  readonly removed: readonly Message[];
  readonly report: CompressReport;
  /** Of the calls of the model for a summary. */
  readonly usages: readonly Usage[];
}

/** The size of a request's prompt, as an estimate. */
export function promptTokens(
  { wire, url, body }: Pick<ConversationToCompact, 'wire' | 'url' | 'body'>,
  tokens: ModelCounter,
): number {
  const { model = '', tools } = wire.factsOf(body, url);
  return tokens(model).countRequest({ messages: wire.codec.decode(body).messages, tools });
}

/**
 * Compacts a conversation, whatever its size.
 * @returns `null` when nothing could be compacted
 */
export async function compactConversation(
  conversation: ConversationToCompact,
  parts: CompactingParts,
): Promise<CompactedConversation | null> {
  const { wire, url, body, size, instructions, signal } = conversation;
  const { model = '' } = wire.factsOf(body, url);
  const usages: Usage[] = [];
  const host = createEngineHost({
    tokens: parts.tokens(model),
    handoffKey: conversation.handoffKey,
    dialect: wire.codec.dialect,
    ...(parts.summaries === 'model' && { summarizer: modelSummarizer(conversation, parts.fetch, usages) }),
  });
  const engine = await parts.registry.create(parts.config, host);
  // The client has decided that the window is full.
  await engine.updateModel({ id: model, contextLength: size });
  const decoded = wire.codec.decode(body);
  const own = parts.tokens(model).countRequest({ messages: decoded.messages });
  const result = await engine.compress(decoded.messages, {
    currentTokens: size,
    overheadTokens: Math.max(0, size - own),
    force: true,
    signal,
    ...(instructions !== null && { focusTopic: instructions }),
  });
  const messages = result.messages as readonly Message[];
  if (result.outcome === 'unchanged' || result.outcome === 'aborted') return null;
  const kept = new Set(messages);
  return {
    body: wire.codec.encode(decoded, result),
    text: readableText(messages, (text) => host.redact(text)),
    removed: decoded.messages.filter((message) => !kept.has(message)),
    report: result.report,
    usages,
  };
}

/** Asks the model of a request for a summary. */
function modelSummarizer(
  { wire, url, body, headers }: ConversationToCompact,
  fetch: FetchFunction,
  usages: Usage[],
): Summarizer {
  const { model = '', maxTokens, isStreamed } = wire.factsOf(body, url);
  return {
    id: model,
    async summarize({ prompt, budgetTokens, signal }) {
      const question = wire.question(body, prompt);
      const isCapped = maxTokens !== undefined && maxTokens < budgetTokens * 2;
      const reply = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify(isCapped ? wire.withCap(question, budgetTokens * 2) : question),
        ...(signal && { signal }),
      });
      const reader = reply.ok ? answerReader(wire, reply.headers.get('content-type') ?? '', isStreamed) : null;
      const bytes = new Uint8Array(await reply.arrayBuffer());
      if (!reader)
        throw Object.assign(new Error(`The provider answered with status ${reply.status}.`), { status: reply.status });
      reader.read(bytes);
      const { error, hasHostCalls, isComplete, text, usage } = reader.end();
      if (usage) usages.push(usage);
      if (error !== null) throw new Error('The answer has an error.');
      return toPage({ text, hasCalls: hasHostCalls, isCut: !isComplete, usage });
    },
  };
}
