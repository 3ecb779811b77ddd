import { type PiMessage, pi } from '@palimpsest/formats';
import { type SentRequest, smallModel } from '../../../test/small-model.ts';
import plugin from '../src/index.ts';
import type {
  OpenclawApi,
  OpenclawCommand,
  OpenclawCompactionResult,
  OpenclawContextEngine,
  OpenclawEngineContext,
  OpenclawTool,
  OpenclawToolContext,
} from '../src/openclaw-api.ts';

const [window, reserve] = [16_000, 2_000];
const sessionId = 'session-of-openclaw';
const system = 'You are a coding agent.';
const systemTokens = 20;

/** Treats the plugin as OpenClaw does: a new engine for each turn, which gets the history before that turn. */
export class OpenclawHost {
  readonly stored: PiMessage[] = [];
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
    plugin.register(api);
  }

  get sent(): readonly SentRequest<PiMessage>[] {
    return this.#model.sent;
  }

  get tools(): OpenclawTool[] {
    return this.#tools?.({ sessionId, agentDir: this.#agentDir }) ?? [];
  }

  /** Has the agent work on one request: in each round a call and its result. */
  async turn(text: string, rounds: number): Promise<void> {
    const engine = this.#factory({ agentDir: this.#agentDir });
    let history = structuredClone(this.stored);
    const turn: object[] = [{ role: 'user', content: text, timestamp: 1 }];
    for (let round = 0; round <= rounds; round++) {
      history = await this.#assemble(engine, history, turn as PiMessage[], round === 0);
      const messages = [...history, ...(turn as PiMessage[])];
      this.#model.send(messages, { system, messages, max_tokens: 1_000 });
      const said = { role: 'assistant', api: 'a', provider: 'p', model: 'small', timestamp: 1 };
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
            timestamp: 1,
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

  compact(customInstructions?: string): Promise<OpenclawCompactionResult> {
    return this.#factory({ agentDir: this.#agentDir }).compact({ sessionId, customInstructions });
  }

  /** The provider has refused the last request for its size. The same turn goes on. */
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
    const messages = await this.#assemble(engine, structuredClone(this.stored), [], true);
    this.#model.send(messages, { system, messages, max_tokens: 1_000 });
    return compacted;
  }

  /**
   * The history before a turn is assembled again for each request, and the turn stays as it is. After the first request,
   * the engine gets what it has returned in the place of the history. @returns a copy of what the engine returns
   */
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
export function violations({ messages }: SentRequest<PiMessage>): readonly string[] {
  return pi.validate({ messages }).map(({ rule }) => rule);
}
