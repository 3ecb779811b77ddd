import { type PiMessage, pi } from '@palimpsest/formats';
import { type ModelRequest, smallModel } from '../../../test/small-model.ts';
import type { PiAnswer } from '../src/answer.ts';
import type { PiRequestOptions } from '../src/ask-pi.ts';
import type { PiApi, PiCommand, PiCompactionResult, PiContext, PiEntry, PiTool } from '../src/pi-api.ts';

/** The handlers that an extension registers, by event. */
interface Handlers {
  session_start?: (event: object, context: PiContext) => Promise<void>;
  session_shutdown?: (event: object, context: PiContext) => Promise<void>;
  context?: (event: { messages: PiMessage[] }, context: PiContext) => Promise<{ messages: PiMessage[] } | undefined>;
  before_provider_request?: (event: { payload: unknown }) => void;
  after_provider_response?: (event: { headers: Record<string, string> }) => void;
  message_end?: (event: { message: PiMessage }) => void;
  session_before_compact?: (
    event: object,
    context: PiContext,
  ) => Promise<{ compaction: PiCompactionResult } | undefined>;
}

const model = { id: 'small', contextWindow: 16_000, maxTokens: 2_000 };

/** A request that the extension has made itself. */
export interface OwnRequest {
  /** The body that was sent. */
  readonly body: { readonly messages: readonly PiMessage[]; readonly tools?: unknown };
  /** Answers it. */
  answer(text: string, fields?: object): void;
}

/** Treats an extension as pi does: stores each message once, and passes copies of all of them before each request. */
export class PiHost {
  readonly entries: PiEntry[] = [];
  readonly tools: PiTool[] = [];
  readonly commands = new Map<string, PiCommand>();
  readonly notified: string[] = [];
  /** Requests of the extension itself, oldest first. */
  readonly own: OwnRequest[] = [];
  /** Headers of the answers to the agent. */
  headers: Record<string, string> = {};
  readonly #folder: string;
  readonly #handlers: Handlers = {};
  readonly #model = smallModel<PiMessage>(model.contextWindow);

  /** @param folder of the session files */
  constructor(folder: string, extension: (pi: PiApi) => void, entries: readonly PiEntry[] = []) {
    this.#folder = folder;
    this.entries.push(...entries);
    const handlers = this.#handlers as Record<string, unknown>;
    extension({
      on: (event: string, handler: unknown) => {
        handlers[event] = handler;
      },
      registerTool: (tool) => this.tools.push(tool),
      registerCommand: (name, command) => this.commands.set(name, command),
      getActiveTools: () => this.tools.map(({ name }) => name),
      getAllTools: () => [...this.tools, { name: 'inactive', description: '', parameters: {} }],
    });
  }

  get sent(): readonly ModelRequest<PiMessage>[] {
    return this.#model.sent;
  }

  get #context(): PiContext {
    return {
      model,
      signal: undefined,
      modelRegistry: {
        streamSimple: (_, { messages }, options) => ({
          result: () => this.#take(messages, options as PiRequestOptions),
        }),
      },
      sessionManager: {
        getSessionId: () => 'session-of-pi',
        getSessionDir: () => this.#folder,
        getSessionFile: () => `${this.#folder}/session.jsonl`,
        getBranch: () => this.entries,
      },
      getSystemPrompt: () => 'You are a coding agent.',
      ui: { notify: (message) => this.notified.push(message) },
    };
  }

  #take(messages: readonly PiMessage[], { onPayload, signal }: PiRequestOptions): Promise<PiAnswer> {
    return new Promise((resolve) => {
      const body = (onPayload?.({ messages, tools: [] }) ?? { messages }) as OwnRequest['body'];
      const usage = { input: 100, output: 30, cacheRead: 9_000, cacheWrite: 0 };
      signal.addEventListener('abort', () => resolve({ role: 'assistant', stopReason: 'aborted', content: [] }));
      this.own.push({
        body,
        answer: (text, fields = {}) =>
          resolve({ role: 'assistant', content: [{ type: 'text', text }], usage, stopReason: 'stop', ...fields }),
      });
    });
  }

  async start(): Promise<this> {
    await this.#handlers.session_start?.({}, this.#context);
    return this;
  }

  async end(): Promise<void> {
    await this.#handlers.session_shutdown?.({}, this.#context);
  }

  add(fields: object): void {
    const entry = { type: 'message', id: `entry_${this.entries.length}`, message: { timestamp: 1, ...fields } };
    this.entries.push(entry);
  }

  /** Sends the conversation. @param kept what pi keeps after its own summary. @default all messages */
  async send(own: readonly PiMessage[] = this.messages): Promise<ModelRequest<PiMessage>> {
    const prepared = await this.#handlers.context!({ messages: structuredClone([...own]) }, this.#context);
    const { messages } = prepared!;
    const body = { system: 'You are a coding agent.', tools: this.tools, messages, max_tokens: model.maxTokens };
    this.#handlers.before_provider_request!({ payload: body });
    this.#handlers.after_provider_response!({ headers: this.headers });
    return this.#model.send(messages, body);
  }

  /** The model answers the last request. */
  answer(content: readonly object[], fields: object = {}): void {
    const { promptTokens, cachedTokens } = this.sent.at(-1)!;
    const usage = { input: promptTokens - cachedTokens, output: 30, cacheRead: cachedTokens, cacheWrite: 0 };
    const said = { role: 'assistant', content, api: 'a', provider: 'p', model: 'small', usage, stopReason: 'toolUse' };
    this.add({ ...said, ...fields });
    this.#handlers.message_end!({ message: this.messages.at(-1)! });
  }

  /** Works for a number of rounds: a request, a call, its result. */
  async work(rounds: number, words = ''): Promise<void> {
    for (let round = 1; round <= rounds; round++) {
      await this.send();
      const id = `call_${this.entries.length}`;
      const said = words ? [{ type: 'text', text: words }] : [];
      this.answer([...said, { type: 'toolCall', id, name: 'bash', arguments: { command: `check_${round}` } }]);
      const text = Array.from({ length: 30 }, (_, line) => `line ${line} of check_${round}: all is well`).join('\n');
      this.add({
        role: 'toolResult',
        toolCallId: id,
        toolName: 'bash',
        content: [{ type: 'text', text }],
        isError: false,
      });
    }
  }

  /** A person enters a command. */
  async command(name: string): Promise<void> {
    await this.commands.get(name)!.handler('', this.#context);
  }

  compact(customInstructions?: string, reason?: 'manual'): Promise<{ compaction: PiCompactionResult } | undefined> {
    const { signal } = new AbortController();
    const preparation = { tokensBefore: 9_000 };
    return this.#handlers.session_before_compact!(
      { preparation, branchEntries: this.entries, customInstructions, reason, signal },
      this.#context,
    );
  }

  get messages(): PiMessage[] {
    return this.entries.flatMap((entry) => ('message' in entry ? (entry.message as PiMessage) : []));
  }
}

/** What a provider would reject in a request. */
export function violations({ messages }: ModelRequest<PiMessage>): readonly string[] {
  return pi.validate({ messages }).map(({ rule }) => rule);
}
