import { join } from 'node:path';
import { checkOptions, switchRule } from '@palimpsest/core/authoring';
import { recallTools } from '@palimpsest/recall';
import { type EngineChoice, engineRule } from '@palimpsest/registry';
import { type Session, sessionRules } from '@palimpsest/session';
import { undoCommand } from '@palimpsest/session/adapter';
import { createContextEngine, pluginId } from './context-engine.ts';
import { Conversation, type ConversationOptions } from './conversation.ts';
import type { OpenclawApi, OpenclawTool, ReadEvents } from './openclaw-api.ts';

/** Number of conversations that stay in memory. The others are read from their files again. */
const maxOpen = 16;

const key = Symbol.for('@palimpsest/openclaw');

/**
 * The conversations of this process by session id, the least recently used first. OpenClaw loads copies of the plugin: the
 * engine of one copy and the tools of another work on the same conversation.
 */
const conversations = ((globalThis as Record<symbol, unknown>)[key] ??= new Map()) as Map<string, Conversation>;

/** The options in `plugins.entries.palimpsest.config` of `openclaw.json`. */
export interface OpenclawPluginOptions extends EngineChoice {
  /** `false` leaves out the tools `recall` and `expand`. @default true */
  readonly recall?: boolean | undefined;
  /** Who writes the summary after `/compact`: the agent's model, or rules without a model. @default 'model' */
  readonly summaries?: 'model' | 'rules' | undefined;
}

/** Registers the context engine, its tools and its command. @param readEvents reads what OpenClaw has stored of a session */
export function register(api: OpenclawApi, readEvents: ReadEvents): void {
  const given = (api.pluginConfig ?? {}) as OpenclawPluginOptions;
  checkOptions('the plugin palimpsest', given, {
    engine: engineRule,
    recall: switchRule,
    summaries: sessionRules.summaries,
  });
  const { engine, recall = true, summaries = 'model' } = given;
  const readOrWarn: ReadEvents = (session) =>
    readEvents(session).catch((error: unknown) => {
      api.logger.warn(
        `Palimpsest knows only the newest messages: OpenClaw's store could not be read. ${String(error)}`,
      );
      return [];
    });
  api.registerContextEngine(pluginId, ({ agentDir }) => {
    const folder = agentDir === undefined ? null : join(agentDir, pluginId);
    const options = { engine, recall, folder, summaries };
    return createContextEngine((sessionId) => openConversation({ sessionId, ...options }), readOrWarn);
  });
  api.registerCommand({
    name: undoCommand.name,
    description: undoCommand.description,
    handler: async ({ sessionId }) => ({ text: await undoCommand.run(findSession(sessionId)) }),
  });
  if (recall) api.registerTool(({ sessionId }) => recallTools.map((tool) => toolOf(tool, sessionId)), { names });
}

const names = recallTools.map(({ function: { name } }) => name);

function toolOf(
  { function: { name, description = '', parameters = {} } }: (typeof recallTools)[number],
  sessionId: string | undefined,
): OpenclawTool {
  return {
    name,
    label: name,
    description,
    parameters,
    catalogMode: 'direct-only',
    async execute(_id, input, signal) {
      const session = findSession(sessionId);
      const text = session
        ? await session.callTool(name, input as Record<string, unknown>, signal ? { signal } : {})
        : 'Nothing is hidden: the whole conversation is in your context.';
      return { content: [{ type: 'text', text }], details: undefined };
    },
  };
}

/** Returns the conversation of a session. Creates it if it is not in memory. */
function openConversation(options: ConversationOptions): Conversation {
  const { sessionId } = options;
  const known = conversations.get(sessionId) ?? new Conversation(options);
  conversations.delete(sessionId);
  conversations.set(sessionId, known);
  for (const [id, oldest] of conversations) {
    if (conversations.size <= maxOpen) break;
    conversations.delete(id);
    // What is lost is a cache: the state is stored after every request.
    oldest.session.end().catch(() => undefined);
  }
  return known;
}

/** Returns a session if it is in memory. */
function findSession(sessionId: string | undefined): Session | undefined {
  return sessionId === undefined ? undefined : conversations.get(sessionId)?.session;
}
