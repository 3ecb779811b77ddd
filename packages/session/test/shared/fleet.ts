import { compressor, compressorPlanner } from '@palimpsest/compressor';
import { type Message, toolCalls } from '@palimpsest/core';
import { createEngine } from '@palimpsest/core/authoring';
import { wireNamed } from '@palimpsest/formats/wire';
import { redact } from '@palimpsest/redactor';
import { createFakeSecrets, type ManualClock, manualClock } from '@palimpsest/testkit';
import { createModelCounter } from '@palimpsest/tokens/models';
import { createSession } from '../../src/create-session.ts';
import type { SessionEvent } from '../../src/events/session-event.ts';
import { contextFetch, type FetchFunction } from '../../src/fetch.ts';
import type { SessionStore } from '../../src/options/session-store.ts';
import type { Session } from '../../src/session.ts';
import { filler } from '../make-session.ts';

/** What the agent does next, and which of the processes serves it. */
export interface Step {
  readonly does:
    | 'work'
    | 'look'
    | 'recall'
    | 'mixed'
    | 'ask'
    | 'compact-tool'
    | 'title'
    | 'undo'
    | 'compact'
    | 'secret';
  readonly tokens: number;
  readonly by: number;
  /** The process is replaced by a new one first. */
  readonly isNew: boolean;
}

const secrets = createFakeSecrets();
const mask = (text: string): string => redact(secrets.reduce((masked, one) => masked.replaceAll(one, '***'), text));
const tool = {
  type: 'function',
  function: { name: 'read_file', description: 'Reads.', parameters: { type: 'object' } },
};
const chat = wireNamed('openai-chat');
const counter = createModelCounter('m');

interface Reply {
  readonly content: string | null;
  readonly calls: readonly { readonly name: string; readonly input: object }[];
}

interface Body {
  readonly messages: readonly Message[];
  readonly tools?: readonly unknown[];
}

/** Serves a conversation from `processes` session objects on one store, one step after the other. */
export class Fleet {
  readonly bodies: string[] = [];
  readonly pages: string[] = [];
  readonly events: SessionEvent[] = [];
  readonly clock: ManualClock = manualClock();
  readonly #store: SessionStore;
  readonly #sessions: (Session | null)[];
  readonly #history: Message[] = [];
  readonly #background: Set<Promise<unknown>> = new Set();
  #title: Reply = { content: '', calls: [] };
  #step = 0;
  #last = 0;

  constructor(processes: number, store: SessionStore) {
    this.#store = store;
    this.#sessions = Array.from({ length: processes }, () => null);
  }

  get history(): readonly Message[] {
    return this.#history;
  }

  /** The session of a process; `isNew` replaces it, as after a crash. */
  session(process: number, isNew = false): Session {
    const at = process % this.#sessions.length;
    if (isNew) this.#sessions[at] = null;
    this.#sessions[at] ??= this.#open();
    return this.#sessions[at]!;
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.take(step);
  }

  async take(step: Step): Promise<void> {
    this.#step++;
    this.clock.advance(1_000);
    // Only the process of the last request knows its tools, whose size decides what is compacted on demand.
    const isOnDemand = step.does === 'compact';
    if (!isOnDemand) this.#last = step.by;
    await this.#do(this.session(this.#last, step.isNew && !isOnDemand), step);
    await this.settle();
  }

  /** Waits for the work in the background. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet++) {
      await new Promise(setImmediate);
      if (this.#background.size > 0) quiet = 0;
      await Promise.all(this.#background);
    }
    for (const session of this.#sessions) await session?.adapter.refresh();
  }

  async #do(session: Session, { does, tokens }: Step): Promise<void> {
    const n = this.#step;
    if (does === 'undo') return void (await session.undo());
    if (does === 'compact') return void (await session.compact({ messages: this.#history }));
    if (does === 'title') {
      this.#title = { content: 'A title', calls: [] };
      await this.#post(session, [{ role: 'user', content: `Write a title for "${n}".` }], false);
      return;
    }
    this.#push({
      role: 'user',
      content: `Request ${n}: look at file ${n}. ${does === 'ask' ? filler(tokens, n) : ''}`,
    });
    const file = { name: 'read_file', input: { path: `src/file-${n}.ts` } };
    const search = { name: 'recall', input: { query: `value_${n % 7} compute secret`, limit: 2 } };
    if (does === 'recall')
      this.#queue({ content: `Searching ${n}.`, calls: [search] }, { content: `Found ${n}.`, calls: [] });
    else if (does === 'compact-tool')
      this.#queue(
        { content: null, calls: [{ name: 'compact', input: { reason: 'done', next: `part ${n}` } }] },
        { content: `Compacted ${n}.`, calls: [] },
      );
    else if (does === 'mixed') this.#queue({ content: 'Both.', calls: [search, file] });
    else this.#queue({ content: `Reading ${n}.`, calls: does === 'ask' ? [] : [file] });
    const reply = await this.#ask(session);
    for (const call of toolCalls(reply)) {
      const text =
        does === 'secret' ? `${filler(tokens / 2, n)}\nexport KEY_${n}=${secrets[n % secrets.length]}\n` : '';
      const content = does === 'look' ? [{ type: 'text', text: filler(tokens, n) }] : text + filler(tokens, n);
      this.#push({ role: 'tool', tool_call_id: call.id, content } as Message);
    }
    if (toolCalls(reply).length === 0) return;
    this.#queue({ content: `File ${n} computes values.`, calls: [] });
    await this.#ask(session);
  }

  readonly #replies: Reply[] = [];

  #queue(...replies: Reply[]): void {
    this.#replies.splice(0, this.#replies.length, ...replies);
  }

  #push(message: Message): void {
    this.#history.push(message);
  }

  async #ask(session: Session): Promise<Message> {
    const reply = await this.#post(session, this.#history, true);
    this.#push(reply);
    return reply;
  }

  async #post(session: Session, messages: readonly Message[], hasTools: boolean): Promise<Message> {
    const body = { model: 'm', messages, ...(hasTools ? { tools: [tool] } : {}) };
    const fetch = contextFetch(session, { fetch: this.#provider, recall: true });
    const answer = await fetch('http://provider/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const { choices, error } = (await answer.json()) as { choices: { message: Message }[]; error?: unknown };
    if (error) throw new Error(`The provider refused a request: ${JSON.stringify(error)}`);
    return choices[0]!.message;
  }

  /** A server that takes only strings from tools. */
  readonly #provider: FetchFunction = async (_, init) => {
    const text = String(init?.body);
    const { messages, tools } = JSON.parse(text) as Body;
    // The agent's requests have no signal.
    if (init?.signal) {
      this.pages.push(text);
      await new Promise(setImmediate);
      return this.#answer(messages, tools, { content: page(this.pages.length), calls: [] });
    }
    this.bodies.push(text);
    if (messages.some(({ content, role }) => role === 'tool' && Array.isArray(content)))
      return Response.json({ error: { message: 'tool message content must be a string' } }, { status: 400 });
    const reply = messages.length === 1 ? this.#title : (this.#replies.shift() ?? { content: 'Nothing.', calls: [] });
    return this.#answer(messages, tools, reply);
  };

  #answer(messages: readonly Message[], tools: readonly unknown[] | undefined, reply: Reply): Response {
    const { content, calls } = reply;
    const made = calls.map(({ name, input }, at) => ({
      id: `call_${this.bodies.length}_${at}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
    const decoded = chat.codec.decode({ messages } as never);
    const prompt = counter.countRequest({ messages: decoded.messages, tools: tools ?? [] });
    return Response.json({
      id: 'reply',
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
          message: { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: made } : {}) },
        },
      ],
      usage: { prompt_tokens: prompt, completion_tokens: 20, total_tokens: prompt + 20 },
    });
  }

  #open(): Session {
    return createSession({
      engine: (host) => {
        const checked = compressor.options!['~standard'].validate({ threshold: 0.6, minimumThreshold: 0 });
        if (checked instanceof Promise || checked.issues) throw new Error('the options of this test are valid');
        return createEngine(compressorPlanner(checked.value, host), host, { name: 'compressor', stateVersion: 1 });
      },
      model: { id: 'm', contextLength: 8_000 },
      id: 'conversation',
      key: 'a key for the tests of a fleet',
      store: this.#store,
      redact: mask,
      compactTool: true,
      recall: true,
      clock: this.clock,
      waitUntil: (work) => {
        this.#background.add(work);
        void work.finally(() => this.#background.delete(work));
      },
      hooks: { onEvent: (event) => void this.events.push(event) },
    });
  }
}

function page(number: number): string {
  return `## Active Task\nPart ${number}.\n\n## Key Decisions\n- Decision ${number}: values are computed.\n`;
}
