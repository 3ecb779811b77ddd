import { join } from 'node:path';
import type { ModelInfo } from '@palimpsest/core';
import { checkOptions, withOptionOwner } from '@palimpsest/core/authoring';
import { pi as piCodec } from '@palimpsest/formats';
import { createRegistry, type EngineChoice, engineRule } from '@palimpsest/registry';
import {
  createSession,
  type RequestOptions,
  type Session,
  type SessionOptions,
  sessionRules,
} from '@palimpsest/session';
import { type SessionTool, sessionTools, undoCommand } from '@palimpsest/session/adapter';
import { fileStore } from '@palimpsest/session/file-store';
import { learnFrom } from './answer.ts';
import { type AskPi, askPi } from './ask-pi.ts';
import { writeCompaction } from './compaction.ts';
import { wholeHistory } from './history.ts';
import { type PiRequest, pageSource } from './page-source.ts';
import type { PiApi, PiContext, PiModel, PiTool } from './pi-api.ts';

/** The options of the extension: those of a session except `id` and `model`, and an engine by name. */
export interface PiExtensionOptions extends Omit<SessionOptions, 'engine' | 'model' | 'id'>, EngineChoice {}

const { id: _, model: __, ...ownRules } = sessionRules;
const optionRules = { ...ownRules, engine: engineRule };

/**
 * Creates an extension for pi, for an extension file of your own. Without options, install the package instead:
 * `pi install npm:@palimpsest/pi`.
 *
 * @example
 * // ~/.pi/agent/extensions/palimpsest.ts
 * export default createPiExtension({ engine: 'prune-compact' });
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function createPiExtension(options: PiExtensionOptions = {}): (pi: PiApi) => void {
  checkOptions('createPiExtension', options, optionRules);
  return (pi) => {
    let session: Session | null = null;
    let ask: AskPi | null = null;
    /** The request that waits for its answer. */
    let sent: PiRequest | null = null;
    const openOnce = (context: PiContext): Session => {
      session ??= openSession(options, context);
      return session;
    };

    pi.on('session_start', async (_, context) => {
      const open = openOnce(context);
      ask = askPi(context);
      if (ask) open.adapter.attachPages();
      for (const tool of await sessionTools(open)) pi.registerTool(toolOf(tool));
    });

    pi.on('context', async ({ messages }, context) => {
      const { model, sessionManager, signal } = context;
      if (!model) return undefined;
      const open = openOnce(context);
      const whole = open.adapter.remember(wholeHistory(messages, () => sessionManager.getBranch()));
      const decoded = piCodec.decode({ systemPrompt: context.getSystemPrompt(), messages: whole });
      const request = await open.beforeRequest(decoded.messages, requestOptions(pi, model, signal));
      const asked = { model, sessionId: sessionManager.getSessionId(), maxTokens: maxAnswerTokens(model) };
      sent = { ...asked, request, payload: null, headers: new Headers() };
      const prepared = { messages: request.messages, provenance: request.info.provenance };
      return { messages: [...piCodec.encode(decoded, prepared).messages] };
    });

    pi.on('before_provider_request', ({ payload }) => {
      if (sent) sent.payload = payload as PiRequest['payload'];
    });

    pi.on('after_provider_response', ({ headers }) => {
      if (sent) sent.headers = new Headers(headers);
    });

    pi.on('message_end', ({ message }) => {
      if (!session || message.role !== 'assistant') return;
      const answered = sent;
      sent = null;
      learnFrom(session, message, answered?.request, ask && answered && pageSource(ask, answered, message));
    });

    pi.on('session_before_compact', async (event, context) => {
      const { model } = context;
      if (!model) return undefined;
      const compaction = await writeCompaction(openOnce(context), event, {
        systemPrompt: context.getSystemPrompt(),
        request: requestOptions(pi, model, event.signal),
      });
      return compaction ? { compaction } : undefined;
    });

    pi.registerCommand(undoCommand.name, {
      description: undoCommand.description,
      handler: async (_, context) => context.ui.notify(await undoCommand.run(openOnce(context)), 'info'),
    });

    pi.on('session_shutdown', async () => {
      const ended = session;
      session = null;
      await ended?.end();
    });
  };
}

function toolOf({ name, description, parameters, call }: SessionTool): PiTool {
  return {
    name,
    label: name,
    description,
    parameters,
    async execute(_id, input, signal) {
      return { content: [{ type: 'text', text: await call(input, signal) }], details: undefined };
    },
  };
}

/** Before a model is chosen. Each request names its own. */
const unknownModel: PiModel = { id: 'unknown', contextWindow: 0, maxTokens: 0 };

function openSession(options: PiExtensionOptions, { sessionManager, model = unknownModel }: PiContext): Session {
  const { engine, recall = true, ...own } = options;
  const registry = createRegistry();
  const isStored = sessionManager.getSessionFile() !== undefined;
  return withOptionOwner('createPiExtension', () =>
    createSession({
      ...(isStored && { store: fileStore(join(sessionManager.getSessionDir(), 'palimpsest')) }),
      ...own,
      id: sessionManager.getSessionId(),
      recall,
      engine: (host) => registry.create(engine, host),
      model: modelInfo(model),
    }),
  );
}

function modelInfo(model: PiModel): ModelInfo {
  return { id: model.id, contextLength: model.contextWindow, reserveOutputTokens: maxAnswerTokens(model) };
}

/** The longest answer that pi asks for: 32,000 tokens, and up to 16,384 more for thoughts. */
function maxAnswerTokens({ maxTokens }: PiModel): number | undefined {
  return maxTokens > 0 ? Math.min(maxTokens, 48_384) : undefined;
}

function requestOptions(pi: PiApi, model: PiModel, signal: AbortSignal | undefined): RequestOptions {
  return { tools: activeTools(pi), maxTokens: maxAnswerTokens(model), model: modelInfo(model), signal };
}

function activeTools(pi: PiApi): readonly unknown[] {
  const active = new Set(pi.getActiveTools());
  const tools = pi.getAllTools().filter(({ name }) => active.has(name));
  return tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
}
