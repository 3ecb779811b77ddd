import { type ModelRequest, smallModel } from '../../../test/small-model.ts';
import plugin, { type OpencodeHooks, type OpencodePluginOptions } from '../src/index.ts';
import type { OpencodeMessage, OpencodePart } from '../src/opencode-api.ts';
import { readMessages } from '../src/read-messages.ts';

const limit = { context: 16_000, output: 2_000 };
const model = { providerID: 'loopback', modelID: 'small' };
const system = ['You are a coding agent.'];

/** Treats the plugin as opencode does: stores messages, and passes a fresh list of all of them before each request. */
export class OpencodeHost {
  readonly stored: OpencodeMessage[] = [];
  readonly errors: string[] = [];
  /** The limits that the configuration of opencode states, by model. */
  models: Record<string, { limit: typeof limit }> = { small: { limit } };
  /** `false`: opencode does not name its folder for state. */
  isReady = true;
  readonly #model = smallModel<OpencodeMessage>(limit.context);
  hooks!: OpencodeHooks;

  get sent(): readonly ModelRequest<OpencodeMessage>[] {
    return this.#model.sent;
  }

  /** @param state opencode's folder for state */
  async start(state: string, options?: OpencodePluginOptions): Promise<this> {
    this.hooks = await plugin.server(
      {
        client: {
          app: {
            log: async ({ body }) => this.errors.push(body.message),
          },
          path: {
            get: async () => {
              if (!this.isReady) throw new Error('opencode is not ready');
              return { data: { state } };
            },
          },
          config: {
            providers: async () => ({ data: { providers: [{ id: 'loopback', models: this.models }] } }),
          },
        },
      },
      options,
    );
    for (const toolID of ['bash', ...Object.keys(this.hooks.tool)]) {
      const description = this.hooks.tool[toolID]?.description ?? 'Runs a command.';
      await this.hooks['tool.definition']({ toolID }, { description, parameters: {}, jsonSchema: { type: 'object' } });
    }
    return this;
  }

  ask(text: string): void {
    this.#store({ role: 'user', agent: 'build', model }, [{ type: 'text', text }]);
  }

  /** A person enters a command, which is a prompt. */
  async command(command: string): Promise<string> {
    const parts = [{ type: 'text', text: 'The template.' }];
    await this.hooks['command.execute.before']({ command, sessionID: 'ses_1' }, { parts });
    const { text } = parts[0]!;
    this.ask(text);
    return text;
  }

  async send(): Promise<ModelRequest<OpencodeMessage>> {
    const messages = structuredClone(this.stored);
    await this.hooks['experimental.chat.messages.transform']({}, { messages });
    await this.hooks['experimental.chat.system.transform']({ sessionID: 'ses_1' }, { system });
    const read = readMessages(messages).map(({ message }) => message);
    return this.#model.send(messages, { system, messages: read, max_tokens: limit.output });
  }

  /** Works for a number of rounds: a request, a call, its result. */
  async work(rounds: number): Promise<void> {
    for (let round = 1; round <= rounds; round++) {
      const { promptTokens, cachedTokens } = await this.send();
      const tokens = { input: promptTokens - cachedTokens, output: 30, cache: { read: cachedTokens, write: 0 } };
      const output = Array.from({ length: 30 }, (_, line) => `line ${line} of check_${round}: all is well`).join('\n');
      const state = { status: 'completed', input: { command: `check_${round}` }, output, time: { start: 1, end: 2 } };
      this.#store({ role: 'assistant', ...model, tokens }, [
        { type: 'step-start' },
        { type: 'text', text: `Step ${round}.` },
        { type: 'tool', callID: `call_${this.stored.length}`, tool: 'bash', state } as OpencodePart,
        { type: 'step-finish' },
      ]);
    }
  }

  #store(info: object, parts: readonly object[]): void {
    const id = `msg_${this.stored.length}`;
    const ids = { id, sessionID: 'ses_1' };
    this.stored.push({ info: { ...ids, ...info }, parts } as unknown as OpencodeMessage);
  }
}
