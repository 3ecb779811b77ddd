import { asksForSummary } from '@palimpsest/agents';
import type { ToolSchema } from '@palimpsest/core';
import { invalidOptions } from '@palimpsest/core/authoring';
import type { Decoded } from '@palimpsest/formats';
import type { Answer, AnsweredCall, Body, Wire } from '@palimpsest/formats/wire';
import { isRecallTool } from '@palimpsest/recall';
import { isCompactTool } from '../../compaction/compact-tool.ts';
import type { OfferedTools } from '../../conversation/offered-tools.ts';
import { declarationsIn } from '../../conversation/tool-declarations.ts';
import type { Session } from '../../session.ts';
import { beginningOf } from '../beginning-of.ts';
import {
  type Choose,
  type DecodedRequest,
  type FetchReply,
  type FetchSettings,
  fetchWithRecovery,
} from '../fetch-with-recovery.ts';

/** Maximum number of requests that one fetch may add. The last request does not have the tools. */
const maxRounds = 8;
/** Maximum number of calls of one reply that are answered. Each one reads the whole history. */
const maxCalls = 32;
/** An answer in fewer tokens has no room for a call. Agents ask for it to find out whether a login works. */
const minForCall = 64;
const tooManyCalls = `Not answered: only the first ${maxCalls} searches of one message are.`;

/** The requests of one fetch: the client's, and one more after each reply that only calls the session's tools. */
export class ToolRounds {
  readonly wire: Wire;
  readonly #session: Session;
  readonly asked: DecodedRequest;
  readonly #settings: FetchSettings;
  readonly #schemas: readonly ToolSchema[];
  readonly #names: ReadonlySet<unknown>;
  /** What the model wrote and read in the replies so far. */
  readonly #items: Body[] = [];
  readonly #visible: Body[] = [];
  #rounds = 0;

  private constructor(
    session: Session,
    asked: DecodedRequest,
    settings: FetchSettings,
    schemas: readonly ToolSchema[],
  ) {
    this.wire = asked.wire;
    this.#session = session;
    this.asked = asked;
    this.#settings = settings;
    this.#schemas = schemas;
    this.#names = new Set(schemas.map((schema) => schema.function.name));
  }

  /**
   * Returns `null` for a request that must not get the tools.
   * @param isAsked true if the host asked for the tools
   * @throws {PalimpsestError} `OPTION_INVALID` when the host asked for tools that the session does not have
   */
  static async open(
    session: Session,
    asked: DecodedRequest,
    settings: FetchSettings,
    isAsked: boolean = false,
  ): Promise<ToolRounds | null> {
    const schemas = (await session.tools()).filter(
      ({ function: { name } }) => isRecallTool(name) || isCompactTool(name),
    );
    if (schemas.length === 0 && isAsked) {
      const message = 'The session does not have the tools. Create it with recall: true or compactTool: true.';
      throw invalidOptions([{ path: 'recall', message }], { owner: 'contextFetch' });
    }
    const rounds = new ToolRounds(session, asked, settings, schemas);
    if (asked.facts.tools.length > 0) rounds.#offered.hasHostTools = true;
    return schemas.length > 0 && rounds.#isPossible ? rounds : null;
  }

  /** True for the name of a tool that is answered here. */
  readonly isOwn = (name: unknown): boolean => this.#names.has(name);

  /** True if the tools can be added to the requests. A client that declares them itself also answers them. */
  get #isPossible(): boolean {
    const { decoded, facts, original } = this.asked;
    const offered = this.#offered;
    const declared = facts.tools.flatMap(declarationsIn);
    const isSide = (facts.tools.length === 0 && offered.hasHostTools) || asksForSummary(decoded.messages);
    if (isSide || (facts.maxTokens ?? minForCall) < minForCall || offered.isRefusedBy(this.#model)) return false;
    return this.wire.obstaclesIn(original).tools === null && !declared.some(({ name }) => this.#names.has(name));
  }

  /** True for a request with the tools. */
  hasTools({ decoded }: Pick<FetchReply, 'decoded'>): boolean {
    return this.#toolsIn(decoded.native)
      .flatMap(declarationsIn)
      .some(({ name }) => this.#names.has(name));
  }

  /** Sends the next request. If the provider refuses it because of the tools, it is sent without them, now and from now on. */
  async send(): Promise<FetchReply> {
    const sent = await fetchWithRecovery(this.#session, this.asked, this.#settings, this.#choose);
    if (this.#rounds > 0 || !this.hasTools(sent) || !(await refusesTools(sent.reply))) return sent;
    const again = await fetchWithRecovery(this.#session, this.asked, this.#settings);
    const [given, other] = again.reply.ok ? [again, sent] : [sent, again];
    if (again.reply.ok) this.#offered.refuse(this.#model);
    await other.reply.body?.cancel();
    return given;
  }

  /** True for a reply after which a further request follows. */
  isContinued({ calls, hasHostCalls, isComplete }: Answer): boolean {
    return isComplete && calls.length > 0 && !hasHostCalls && this.#rounds < maxRounds;
  }

  /** Answers the calls of a reply, and sends the next request. */
  async continue(answer: Answer, sent: FetchReply): Promise<FetchReply> {
    const results = this.wire.answers.results(await this.#answers(answer, sent));
    this.#rounds++;
    this.#items.push(...answer.items, ...results);
    this.#visible.push(...answer.visible);
    return this.send();
  }

  /**
   * Remembers the parts of a finished message that the SDK does not see. Its next request needs them, even after a
   * restart.
   */
  async finish(answer: Answer, sent: FetchReply): Promise<void> {
    const isMixed = answer.isComplete && answer.hasHostCalls && answer.calls.length > 0;
    if (!isMixed && this.#rounds === 0) return;
    const visible = [...this.#visible, ...answer.visible];
    const results = isMixed ? [...this.wire.answers.results(await this.#answers(answer, sent))] : [];
    const key = this.wire.answers.keyOf(visible);
    // No provider accepts a reply without words and calls.
    const isEmpty = this.wire.answers.keyOf(answer.visible) === this.wire.answers.keyOf([]);
    const last = isMixed ? answer.items : isEmpty ? [] : answer.visible;
    const joins = this.wire.answers.joinResults !== undefined;
    const items = [...this.#items];
    // Without an answer behind them, the last results and the user's next words are neighbours of one role.
    if (joins && last.length === 0) results.push(...items.splice(-1));
    const { rounds, save } = this.#session.adapter;
    const given = this.#given;
    const round = {
      format: this.wire.name,
      key,
      place: this.wire.answers.answersIn(given).length,
      items: [...items, ...last, ...(joins ? [] : results)],
      results: joins ? results : [],
    };
    rounds.add(round, given);
    await save();
  }

  /** The conversation as the client sent it. */
  get #given(): readonly Body[] {
    return this.wire.itemsOf(this.asked.original) ?? [];
  }

  #answers({ calls }: Answer, { decoded }: FetchReply): Promise<AnsweredCall[]> {
    const { signal } = this.asked.outgoing;
    return Promise.all(
      calls.map(async (call, at) => {
        if (at >= maxCalls) return { ...call, answer: tooManyCalls };
        const input = call.input as string | Readonly<Record<string, unknown>>;
        const context = { messages: decoded.messages, ...(signal ? { signal } : {}) };
        return { ...call, answer: await this.#session.callTool(call.name, input, context) };
      }),
    );
  }

  /**
   * The tools are in every request, from the first one on: tools that came later would change what the provider has in its
   * cache. A chat without tools gets them once something is hidden from it.
   */
  readonly #choose: Choose = async (prepare) => {
    const { codec } = this.wire;
    const plain = codec.decode(this.#body());
    const declared = codec.decode(this.#withTools(this.#body()));
    if (this.#rounds >= maxRounds) {
      const last =
        this.#toolsIn(plain.native).length > 0 ? plain : codec.decode(this.wire.withoutCalls(declared.native));
      return { decoded: last, request: await prepare(last) };
    }
    if (this.#isAlways(plain)) return { decoded: declared, request: await prepare(declared) };
    const offered = this.#offered;
    const first = offered.isChat ? declared : plain;
    const request = await prepare(first);
    offered.isChat = request.info.checkpoint !== null;
    const decoded = offered.isChat ? declared : plain;
    return { decoded, request: decoded === first ? request : await prepare(decoded) };
  };

  /** True if the client has tools, if the conversation has calls of the session's tools, or if the agent may ask for a compaction. */
  #isAlways(plain: Decoded<Body>): boolean {
    const hasCalls = this.#rounds > 0 || plain.native !== this.asked.original;
    const hasTools = this.asked.facts.tools.length > 0;
    return hasTools || hasCalls || this.#schemas.some((schema) => isCompactTool(schema.function.name));
  }

  get #offered(): OfferedTools {
    return this.#session.adapter.rounds.tools;
  }

  get #model(): string {
    return this.asked.facts.model ?? '';
  }

  /** The body of the next request, without the tools. */
  #body(): Body {
    const { native } = this.asked.decoded;
    if (this.#items.length === 0) return native;
    return { ...native, [this.wire.list]: [...(this.wire.itemsOf(native) ?? []), ...this.#items] };
  }

  #toolsIn(body: Body): readonly unknown[] {
    return this.wire.factsOf(body, this.asked.outgoing.url).tools;
  }

  /** Adds the session's tools. */
  #withTools(body: Body): Body {
    const own = this.#schemas.map((schema) => this.wire.declareTool(schema));
    return this.wire.withTools(body, own);
  }
}

/** Statuses with which servers refuse a field, or a model that cannot use it. */
const refusals: ReadonlySet<number> = new Set([400, 404, 422, 500, 501]);

/** Words for tools in errors. What a server calls the parts of a conversation is not among them, such as `tool_use`. */
const mention: RegExp = /\btools?\b|\bfunction[ -]?call/i;

/** True for a refusal that names tools: that of a model without tools, of a server that has no such field, or of too many. */
async function refusesTools(reply: Response): Promise<boolean> {
  return refusals.has(reply.status) && mention.test(await beginningOf(reply));
}
