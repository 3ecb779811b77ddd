import type { Message } from '@palimpsest/core';
import { checkMessages } from '@palimpsest/core/authoring';
import { BackgroundPlanner } from './compaction/background.ts';
import type { Preview } from './compaction/manual.ts';
import type { Intake } from './conversation/intake.ts';
import { type LastReport, learnFromAnswer } from './learn-from-answer.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { Persistence } from './persistence/persistence.ts';
import { isAside, isCallersOwn, otherConversation, passedThrough, prepareNext, present, workOf } from './prepare.ts';
import type { PreparedRequest, RequestOptions } from './prepared-request.ts';
import { readUsage } from './read-usage.ts';
import { type Sent, SessionCore, type Work } from './session-core.ts';
import type { SessionOptions } from './session-options.ts';

/** What the operations of a session run on: its state, the line they stand in, and what lives beside them. */
export class SessionRuntime {
  readonly core: SessionCore;
  readonly background: BackgroundPlanner;
  readonly persistence: Persistence;
  /** What was sent as which request. */
  readonly sentAs: WeakMap<object, Sent> = new WeakMap();
  /** The plan last shown by a preview. */
  shown: Preview | null = null;
  readonly #line: OneAtATime = new OneAtATime();
  #opening: Promise<void> | null = null;
  #lastReport: LastReport | null = null;
  #saidRepairs = '{}';
  readonly #saidConversations: Set<string> = new Set();

  constructor(options: SessionOptions) {
    this.core = new SessionCore(options);
    this.background = new BackgroundPlanner(this.core);
    this.persistence = new Persistence(this.core);
  }

  /** Runs an operation when those before it are done, with the engine made and the stored state taken over. */
  inLine<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#line.run(async () => {
      await this.#open();
      this.persistence.takeLate();
      return work();
    }, signal);
  }

  /** The same conversation again, for what is done between requests. */
  workAgain(messages: readonly Message[]): Work {
    const { tools, system, maxTokens, leastTokens } = this.core.lastWork ?? {};
    return workOf(this.core, messages, { tools, system, maxTokens, leastTokens });
  }

  get lastSource(): readonly Message[] {
    return this.core.lastWork?.intake.source ?? [];
  }

  async prepare<M extends Message, O extends RequestOptions>(
    messages: readonly M[],
    options: O,
  ): Promise<PreparedRequest<M, O>> {
    checkMessages(messages);
    const source = [...messages];
    const attempt = async (
      make: () => Promise<PreparedRequest<M, O>> | PreparedRequest<M, O>,
    ): Promise<PreparedRequest<M, O>> => {
      try {
        return await make();
      } catch (error) {
        if (isCallersOwn(error)) throw error;
        return passedThrough(this.core, source, options, error);
      }
    };
    if (this.#mustNotWait(source)) return attempt(() => this.#look(source, options));
    return this.inLine(() => attempt(() => this.#next(source, options)), options.signal);
  }

  /** What a hook or a summarizer asks of the session that waits for it must not wait for the session. */
  #mustNotWait(source: readonly Message[]): boolean {
    const { core } = this;
    if (core.engine === null || !this.#line.busy) return false;
    try {
      return core.inHook || isAside(core, core.takeIn(source));
    } catch {
      return false;
    }
  }

  #look<M extends Message, O extends RequestOptions>(source: readonly M[], options: O): PreparedRequest<M, O> {
    const work = workOf(this.core, source, options);
    return present<M, O>(this.core, work, this.core.view(work), options).request;
  }

  async #next<M extends Message, O extends RequestOptions>(
    source: readonly M[],
    options: O,
  ): Promise<PreparedRequest<M, O>> {
    const { core } = this;
    const work = workOf(core, source, options);
    this.#sayRepairs(work.intake.repairs);
    if (isAside(core, work.intake)) {
      const view = core.view(work);
      if (view.size.tokens <= core.room(work)) {
        const { request, sent } = present<M, O>(core, work, view, options);
        this.sentAs.set(request, { ...sent, aside: true });
        return request;
      }
    }
    this.#sayConversation(work.intake);
    if (options.model) core.switchModel(options.model);
    const made = await prepareNext<M, O>(core, this.background, work, options);
    this.sentAs.set(made.request, made.sent);
    if (made.changed) await this.persistence.save();
    return made.request;
  }

  /** Takes an answer, and the provider's report where it holds one. */
  learn(usage: unknown, request: PreparedRequest | undefined): void {
    const read = readUsage(usage);
    const sent = request ? (this.sentAs.get(request) ?? null) : this.core.lastSent;
    // A request that was not the session's conversation says nothing about it.
    if ((request && !sent) || sent?.aside) return;
    this.core.turns.answered();
    this.core.loweredFrom = null;
    this.core.lastActivity = this.core.clock.now();
    if (!read) return;
    this.#lastReport = learnFromAnswer(this.core, sent, read, this.#lastReport);
    void this.persistence.save();
  }

  /** Emits `second-conversation` once for each further conversation. */
  #sayConversation(intake: Intake): void {
    const { core } = this;
    const openings = otherConversation(core, intake);
    if (openings === null || this.#saidConversations.has(openings.own)) return;
    this.#saidConversations.add(openings.own).add(openings.last);
    core.publish({
      type: 'second-conversation',
      message: `Another conversation runs on session "${core.id}". Both are kept within the window, but they share its limits, its checkpoints for undo and its figures. Give each conversation a session of its own.`,
    });
  }

  /** Said when it begins or changes, not each turn. */
  #sayRepairs(repairs: Readonly<Record<string, number>>): void {
    const now = JSON.stringify(repairs);
    if (now !== this.#saidRepairs && now !== '{}') this.core.publish({ type: 'input-repaired', repairs });
    this.#saidRepairs = now;
  }

  #open(): Promise<void> {
    this.#opening ??= this.#makeEngine().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  async #makeEngine(): Promise<void> {
    const { core } = this;
    const { engine } = core.given;
    core.engine = typeof engine === 'function' ? await engine(core.host) : engine;
    core.applyModel();
    try {
      await core.engine.onSessionStart({ sessionId: core.id });
    } catch {
      core.publish({ type: 'hook-failed', hook: 'engine.onSessionStart', reason: 'The engine threw.' });
    }
    await this.persistence.load();
  }
}
