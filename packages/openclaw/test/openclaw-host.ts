import { type PiMessage, pi } from '@palimpsest/formats';
import { type ModelRequest, smallModel } from '../../../test/small-model.ts';
import type {
  OpenclawApi,
  OpenclawCommand,
  OpenclawCompactionResult,
  OpenclawContextEngine,
  OpenclawEngineContext,
  OpenclawEvent,
  OpenclawLlm,
  OpenclawTool,
  OpenclawToolContext,
} from '../src/openclaw-api.ts';
import { register } from '../src/plugin.ts';

const [window, reserve] = [16_000, 2_000];
/** OpenClaw passes as many of the newest messages as it has stored in eight bytes for each token of the window. */
const newest = 40;
const [sessionId, sessionKey] = ['session-of-openclaw', 'agent:main:session-of-openclaw'];
const system = 'You are a coding agent.';
const systemTokens = 20;

/** Treats the plugin as OpenClaw does: a new engine for each turn, which gets the history before that turn. */
export class OpenclawHost {
  readonly stored: PiMessage[] = [];
  /** Number of messages before the last `/reset`. */
  resetAt = 0;
  /** Number of messages before it that it keeps. */
  kept = 0;
  /** `false`: the store cannot be read. */
  isReadable = true;
  readonly warnings: string[] = [];
  readonly commits: string[] = [];
  readonly #agentDir: string;
  readonly #model = smallModel<PiMessage>(window);
  #factory!: (context: OpenclawEngineContext) => OpenclawContextEngine;
  #command!: OpenclawCommand;
  #tools: ((context: OpenclawToolContext) => OpenclawTool[]) | null = null;

  /** @param agentDir the agent's folder for state */
  constructor(agentDir: string, pluginConfig?: Record<string, unknown>) {
    this.#agentDir = agentDir;
    const api: OpenclawApi = {
      pluginConfig,
      logger: { warn: (message) => this.warnings.push(message) },
      registerContextEngine: (_, factory) => {
        this.#factory = factory;
      },
      registerTool: (factory) => {
        this.#tools = factory;
      },
      registerCommand: (command) => {
        this.#command = command;
      },
    };
    register(api, async () => this.#events());
  }

  get sent(): readonly ModelRequest<PiMessage>[] {
    return this.#model.sent;
  }

  /** What the plugin has asked OpenClaw's model. */
  readonly prompts: string[] = [];

  get tools(): OpenclawTool[] {
    return this.#tools?.({ sessionId, agentDir: this.#agentDir }) ?? [];
  }

  /** Has the agent work on one request: in each round a call and its result. */
  async turn(text: string, rounds: number): Promise<void> {
    const engine = this.#factory({ agentDir: this.#agentDir });
    const turn: object[] = [{ role: 'user', content: text, timestamp: this.#time }];
    let given = this.#newest();
    for (let round = 0; round <= rounds; round++) {
      const history = await this.#assemble(engine, given, turn as PiMessage[], round === 0);
      // In the rest of the turn, the engine gets a copy of what it has returned first.
      if (round === 0) given = history.map((message) => ({ ...message, details: {} }));
      const messages = [...history, ...(turn as PiMessage[])];
      this.#model.send(messages, { system, messages, max_tokens: 1_000 });
      const timestamp = this.#time + turn.length;
      const said = { role: 'assistant', api: 'a', provider: 'p', model: 'small', timestamp };
      if (round === rounds) turn.push({ ...said, content: [{ type: 'text', text: 'All done.' }], stopReason: 'stop' });
      else {
        const id = `call_${this.stored.length + turn.length}`;
        const command = `check_${text.replace(/\W/g, '')}_${round}`;
        const output = Array.from({ length: 30 }, (_, line) => `line ${line} of ${command}: all is well`).join('\n');
        turn.push(
          { ...said, content: [{ type: 'toolCall', id, name: 'exec', arguments: { command } }], stopReason: 'toolUse' },
          {
            role: 'toolResult',
            toolCallId: id,
            toolName: 'exec',
            content: [{ type: 'text', text: output }],
            isError: false,
            timestamp: timestamp + 1,
          },
        );
      }
    }
    this.stored.push(...(turn as PiMessage[]));
    const advancementKey = `turn_${this.stored.length}`;
    for (let attempt = 0; attempt < 2; attempt++)
      this.commits.push((await engine.commitTurn({ advancementKey })).status);
  }

  /** A person enters the plugin's command. @returns the answer */
  async undo(): Promise<string> {
    return (await this.#command.handler({ sessionId })).text;
  }

  /** @param trigger `manual`: a person enters `/compact`. @param page what OpenClaw's model answers then */
  compact(
    customInstructions?: string,
    trigger?: 'manual' | 'budget',
    page?: (prompt: string) => string,
  ): Promise<OpenclawCompactionResult> {
    const llm: OpenclawLlm = {
      complete: async ({ messages: [message] }) => {
        this.prompts.push(message!.content);
        return { text: page!(message!.content), stopReason: 'stop', usage: { inputTokens: 900, outputTokens: 30 } };
      },
    };
    return this.#factory({ agentDir: this.#agentDir }).compact({
      sessionId,
      customInstructions,
      runtimeContext: { trigger, ...(page && { llm }) },
    });
  }

  /** The provider has refused the last request for its size. The same turn continues. */
  async refuse(): Promise<OpenclawCompactionResult> {
    const engine = this.#factory({ agentDir: this.#agentDir });
    const compacted = await engine.compact({
      sessionId,
      currentTokenCount: this.sent.at(-1)!.promptTokens,
      runtimeSettings: {
        limits: { promptTokenBudget: window, maxOutputTokens: null },
        diagnostics: { degradedReason: 'context_overflow' },
      },
    });
    const messages = await this.#assemble(engine, this.#newest(), [], true);
    this.#model.send(messages, { system, messages, max_tokens: 1_000 });
    return compacted;
  }

  /** What OpenClaw passes of the history. */
  #newest(): PiMessage[] {
    return structuredClone(this.stored.slice(Math.max(this.resetAt - this.kept, this.stored.length - newest)));
  }

  /** Milliseconds. */
  get #time(): number {
    return 1 + this.stored.length;
  }

  /** What OpenClaw stores: a branch that was left, and the messages, with a `/reset` between them. */
  #events(): OpenclawEvent[] {
    if (!this.isReadable) throw new Error('the store is gone');
    const left = { role: 'user', content: 'A branch that was left: check_left.', timestamp: 0.5 } as PiMessage;
    const events: OpenclawEvent[] = [
      { type: 'session', id: 'start' },
      { type: 'message', id: 'left', parentId: 'start', message: left },
    ];
    let parentId = 'start';
    const add = (type: string, id: string, message?: PiMessage) => {
      events.push({ type, id, parentId, message });
      parentId = id;
    };
    structuredClone(this.stored).forEach((message, at) => {
      if (at > 0 && at === this.resetAt) add('reset', 'reset');
      if (at % 10 === 0) add('custom_message', `custom_${at}`);
      add('message', `message_${at}`, message);
    });
    return events;
  }

  /** The history before a turn is assembled again for each request, and the turn stays as it is. */
  async #assemble(
    engine: OpenclawContextEngine,
    history: PiMessage[],
    turn: readonly PiMessage[],
    isFirst: boolean,
  ): Promise<PiMessage[]> {
    const whole = isFirst ? window - reserve - systemTokens : window;
    const turnTokens = isFirst ? 0 : Math.ceil(JSON.stringify(turn).length / 4);
    const { messages } = await engine.assemble({
      sessionId,
      sessionKey,
      messages: history,
      tokenBudget: whole - turnTokens,
      model: 'small',
      runtimeSettings: { limits: { promptTokenBudget: whole, maxOutputTokens: isFirst ? reserve : null } },
    });
    return structuredClone(messages);
  }
}

/** Ends the process: what was in memory is gone. */
export function endProcess(): void {
  const conversations = (globalThis as Record<symbol, unknown>)[Symbol.for('@palimpsest/openclaw')] as Map<
    string,
    unknown
  >;
  conversations.clear();
}

/** What a provider would reject in a request. */
export function violations({ messages }: ModelRequest<PiMessage>): readonly string[] {
  return pi.validate({ messages }).map(({ rule }) => rule);
}
