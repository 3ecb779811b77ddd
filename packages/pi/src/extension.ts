import { join } from 'node:path';
import { contentText, type ModelInfo, type Summarizer } from '@palimpsest/core';
import { withOptionOwner } from '@palimpsest/core/authoring';
import { type PiMessage, pi as piCodec, rememberMessages } from '@palimpsest/formats';
import { type ContextConfig, createRegistry } from '@palimpsest/registry';
import {
  classifyFailure,
  createSession,
  type RequestOptions,
  type Session,
  type SessionOptions,
} from '@palimpsest/session';
import { fileStore } from '@palimpsest/session/file-store';
import { storedMessages, wholeHistory } from './history.ts';
import type { PiApi, PiContext, PiModel } from './pi-api.ts';

/** All options of a session may be given. */
export interface PiExtensionOptions extends Omit<SessionOptions, 'engine' | 'model' | 'id'> {
  /** The engine's name, or the whole configuration with the engine's options. @default 'compressor' */
  readonly engine?: string | ContextConfig | undefined;
  /** Lets a model write the summaries. @default rules write them, without a model call */
  readonly summarizer?: Summarizer | undefined;
}

/**
 * Creates an extension for pi, for an extension file of your own. Without options, install the package instead:
 * `pi install npm:@palimpsest/pi`.
 *
 * @example
 * // ~/.pi/agent/extensions/palimpsest.ts
 * export default createPiExtension({ engine: 'prune-compact' });
 */
export function createPiExtension(options: PiExtensionOptions = {}): (pi: PiApi) => void {
  return (pi) => {
    let session: Session | null = null;
    const remember = rememberMessages();
    const opened = (context: PiContext, model: PiModel): Session => {
      session ??= openSession(options, context, model);
      return session;
    };

    pi.on('session_start', async (_, context) => {
      const schemas = await opened(context, context.model ?? unknownModel).tools();
      for (const { function: declared } of schemas)
        pi.registerTool({
          name: declared.name,
          label: declared.name,
          description: declared.description ?? '',
          parameters: declared.parameters ?? { type: 'object', properties: {} },
          async execute(_id, input, signal) {
            const text = await opened(context, context.model ?? unknownModel).callTool(
              declared.name,
              input,
              signal ? { signal } : {},
            );
            return { content: [{ type: 'text', text }], details: undefined };
          },
        });
    });

    pi.on('context', async ({ messages }, context) => {
      const { model, sessionManager, signal } = context;
      if (!model) return undefined;
      const whole = remember(wholeHistory(messages, () => sessionManager.getBranch()));
      const decoded = piCodec.decode({ systemPrompt: context.getSystemPrompt(), messages: whole });
      const request = await opened(context, model).beforeRequest(decoded.messages, requestOptions(pi, model, signal));
      const prepared = { messages: request.messages, provenance: request.info.provenance };
      return { messages: [...piCodec.encode(decoded, prepared).messages] };
    });

    pi.on('message_end', ({ message }) => {
      if (session && message.role === 'assistant') learnFrom(session, message);
    });

    pi.on('session_before_compact', async (event, context) => {
      const { model } = context;
      if (!model) return undefined;
      const stored = storedMessages(event.branchEntries);
      const messages = remember(stored.map(({ message }) => message));
      const decoded = piCodec.decode({ systemPrompt: context.getSystemPrompt(), messages });
      const current = opened(context, model);
      const { customInstructions: focusTopic, signal } = event;
      await current.compact({ messages: decoded.messages, focusTopic, signal });
      const shown = await current.beforeRequest(decoded.messages, requestOptions(pi, model, signal));
      const { output } = shown.info.provenance;
      const at = output.findLastIndex((origin) => origin.kind === 'inserted' && origin.covers.to > origin.covers.from);
      const handoff = output[at];
      if (handoff?.kind !== 'inserted') return undefined;
      const next = decoded.origins[handoff.covers.to]?.pieces[0]?.index ?? stored.length - 1;
      const summary = shown.messages.slice(0, at + 1).filter(({ role }) => role !== 'system');
      return {
        compaction: {
          summary: summary.map(({ content }) => contentText(content)).join('\n\n'),
          firstKeptEntryId: stored[next]!.id,
          tokensBefore: event.preparation.tokensBefore,
        },
      };
    });

    pi.registerCommand('undo-compaction', {
      description: 'Send what the last compaction of Palimpsest removed, as long as it fits',
      async handler(_, context) {
        const undone = await opened(context, context.model ?? unknownModel).undo();
        context.ui.notify(
          undone === null ? 'There is no compaction to undo.' : `Compaction ${undone} is undone.`,
          'info',
        );
      },
    });

    pi.on('session_shutdown', async () => {
      const ended = session;
      session = null;
      await ended?.end();
    });
  };
}

/** Before a model is chosen. Requests name the one that they are sent to. */
const unknownModel: PiModel = { id: 'unknown', contextWindow: 0, maxTokens: 0 };

function openSession(options: PiExtensionOptions, { sessionManager }: PiContext, model: PiModel): Session {
  const { engine, summarizer, recall = true, ...own } = options;
  const registry = createRegistry();
  const config: ContextConfig = typeof engine === 'object' ? engine : { engine };
  const isStored = sessionManager.getSessionFile() !== undefined;
  return withOptionOwner('createPiExtension', () =>
    createSession({
      ...(isStored && { store: fileStore(join(sessionManager.getSessionDir(), 'palimpsest')) }),
      ...own,
      id: sessionManager.getSessionId(),
      recall,
      engine: (host) => registry.create(config, summarizer ? { ...host, summarizer } : host),
      model: modelInfo(model),
    }),
  );
}

function modelInfo(model: PiModel): ModelInfo {
  return { id: model.id, contextLength: model.contextWindow, reserveOutputTokens: longestAnswer(model) };
}

/** The longest answer that pi asks for: 32,000 tokens, and up to 16,384 more for thoughts. */
function longestAnswer({ maxTokens }: PiModel): number | undefined {
  return maxTokens > 0 ? Math.min(maxTokens, 48_384) : undefined;
}

function requestOptions(pi: PiApi, model: PiModel, signal: AbortSignal | undefined): RequestOptions {
  return { tools: activeTools(pi), maxTokens: longestAnswer(model), model: modelInfo(model), signal };
}

function activeTools(pi: PiApi): readonly unknown[] {
  const active = new Set(pi.getActiveTools());
  const tools = pi.getAllTools().filter(({ name }) => active.has(name));
  return tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}

/** Fields of an answer in which pi reports usage and refusals. */
interface Answer extends PiMessage {
  readonly stopReason?: string;
  readonly errorMessage?: string;
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
}

function learnFrom(session: Session, { stopReason, errorMessage, usage }: Answer): void {
  if (stopReason === 'aborted') return;
  if (stopReason === 'error') {
    session.noteRefusal(classifyFailure(new Error(errorMessage)));
    return;
  }
  const { input = 0, output = 0, cacheRead = 0, cacheWrite = 0 } = usage ?? {};
  session.afterResponse({
    promptTokens: input + cacheRead + cacheWrite,
    completionTokens: output,
    cachedTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
  });
}
