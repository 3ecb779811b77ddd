import { join } from 'node:path';
import { checkOptions, switchRule } from '@palimpsest/core/authoring';
import { recallTools } from '@palimpsest/recall';
import { type EngineChoice, engineRule } from '@palimpsest/registry';
import { undoCommand } from '@palimpsest/session/adapter';
import { Conversation } from './conversation.ts';
import { ModelLimits, type UsedModel } from './model-limits.ts';
import type { OpencodeHooks, OpencodeInput, OpencodeMessage, OpencodeTool } from './opencode-api.ts';

/** The options after the plugin's name in `opencode.json`. */
export interface OpencodePluginOptions extends EngineChoice {
  /** `false` leaves out the tools `recall` and `expand`. @default true */
  readonly recall?: boolean | undefined;
}

/** For a conversation that has not sent a request yet. Each request names its model. */
const unknownModel: UsedModel = { id: 'unknown', limit: { context: 0, output: 0 } };

/** Conversations in memory. The one that was not used for longest is left to its store. */
const maxConversations = 32;

/** Creates the hooks of the plugin. Conversations are created when their first request is prepared. */
export async function palimpsest(
  { client }: OpencodeInput,
  options: OpencodePluginOptions = {},
): Promise<OpencodeHooks> {
  checkOptions('the plugin palimpsest', options, { engine: engineRule, recall: switchRule });
  const { engine, recall = true } = options;
  const conversations = new Map<string, Conversation>();
  const declared = new Map<string, object>();
  const own = recall ? recallTools : [];
  const ownNames = new Set(own.map(({ function: { name } }) => name));
  const limits = new ModelLimits(client);
  let folder: string | null = null;

  const openConversation = async (sessionID: string, model: UsedModel): Promise<Conversation> => {
    // Read here, because the server does not answer while plugins are loaded.
    if (folder === null) {
      const { data } = await client.path.get();
      folder = data ? join(data.state, 'palimpsest') : null;
    }
    const options = { sessionID, engine, recall, folder };
    const known = conversations.get(sessionID) ?? new Conversation(options, model);
    conversations.delete(sessionID);
    conversations.set(sessionID, known);
    const [oldest] = conversations;
    if (oldest && conversations.size > maxConversations) {
      conversations.delete(oldest[0]);
      await oldest[1].session.end();
    }
    return known;
  };

  const transform = async (messages: OpencodeMessage[]): Promise<void> => {
    const sessionID = messages[0]?.info.sessionID;
    const model = await limits.modelOf(messages);
    if (sessionID === undefined || !model) return;
    const conversation = await openConversation(sessionID, model);
    const others = [...declared].flatMap(([name, tool]) => (ownNames.has(name) ? [] : tool));
    const prepared = await conversation.prepare(messages, model, [...own, ...others]);
    // opencode sends the list that it passed.
    messages.splice(0, messages.length, ...prepared);
  };

  return {
    async 'experimental.chat.messages.transform'(_, output) {
      try {
        await transform(output.messages);
      } catch (error) {
        // Otherwise opencode gives up the request. It sends its own messages instead.
        const message = `The request was not prepared: ${error instanceof Error ? error.message : String(error)}`;
        await client.app.log({ body: { service: 'palimpsest', level: 'error', message } });
      }
    },
    async 'experimental.chat.system.transform'({ sessionID }, { system }) {
      const conversation = sessionID === undefined ? undefined : conversations.get(sessionID);
      if (conversation) conversation.system = [...system];
    },
    async 'experimental.session.compacting'({ sessionID }) {
      const conversation = conversations.get(sessionID);
      if (conversation) conversation.isCompacting = true;
    },
    async config(opencode) {
      const { name, description } = undoCommand;
      opencode.command = { [name]: { description, template: '' }, ...opencode.command };
    },
    async 'command.execute.before'({ command, sessionID }, output) {
      if (command !== undoCommand.name) return;
      const outcome = await undoCommand.run((await openConversation(sessionID, unknownModel)).session);
      // A command of opencode is a prompt, which the model answers.
      output.parts.splice(0, output.parts.length, { type: 'text', text: `${outcome} Repeat this sentence.` });
    },
    async 'tool.definition'({ toolID }, output) {
      const tool = own.find(({ function: { name } }) => name === toolID);
      // opencode makes every argument of a plugin's tool a required one.
      if (tool) output.jsonSchema = tool.function.parameters;
      declared.set(toolID, { name: toolID, description: output.description, parameters: output.jsonSchema });
    },
    async event({ event: { type, properties } }) {
      if (type !== 'session.deleted') return;
      const { info } = properties as { readonly info?: { readonly id: string } };
      const deleted = info && conversations.get(info.id);
      if (!deleted) return;
      conversations.delete(info.id);
      await deleted.session.reset();
      await deleted.session.end();
    },
    async dispose() {
      await Promise.all([...conversations.values()].map(({ session }) => session.end()));
      conversations.clear();
    },
    tool: Object.fromEntries(own.map((tool) => [tool.function.name, toolOf(tool, conversations)])),
  };
}

function toolOf(
  { function: { name, description = '', parameters } }: (typeof recallTools)[number],
  conversations: ReadonlyMap<string, Conversation>,
): OpencodeTool {
  return {
    description,
    args: (parameters as { readonly properties?: object } | undefined)?.properties ?? {},
    async execute(input, { sessionID, abort }) {
      const conversation = conversations.get(sessionID);
      if (!conversation) return 'Nothing is hidden: the whole conversation is in your context.';
      return conversation.session.callTool(name, input, { signal: abort });
    },
  };
}
