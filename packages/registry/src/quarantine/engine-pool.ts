import {
  type ContextEngine,
  type EngineHost,
  type Message,
  type ModelInfo,
  PalimpsestError,
  type SessionInfo,
  type Usage,
} from '@palimpsest/core';
import { checkModel } from '@palimpsest/core/authoring';
import { failureReason } from '../border/failure-reason.ts';
import { maskedError } from '../border/masked-error.ts';
import type { EngineCandidate } from '../engines/engine-candidate.ts';
import { createPassThrough } from './pass-through.ts';
import type { EngineFailure, PoolMember, Serving } from './pool-member.ts';

/** Error codes of contract violations, which the input cannot cause: an invalid answer, or no answer in time. */
const breaches: ReadonlySet<string> = new Set(['PLAN_INVALID', 'PLAN_CONFLICT', 'INVARIANT_VIOLATED', 'ENGINE_FAILED']);

/**
 * Manages the engines of one session: which are in service, and which model, usage and session each was given. Changes
 * run one after the other. `current` is always an engine that has been created and is up to date.
 */
export class EnginePool {
  readonly #members: readonly PoolMember[];
  readonly #host: EngineHost;
  /** Fallback name in events when no engine is left. */
  readonly #last: string;
  /** Built-in engines that failed on the call in progress. */
  readonly #passedOver: Set<PoolMember> = new Set();
  #passThrough: ContextEngine | null = null;
  #model: ModelInfo | null = null;
  #usage: Usage | null = null;
  #session: SessionInfo | null = null;
  #serving: Serving;
  #line: Promise<unknown> = Promise.resolve();

  private constructor(candidates: readonly EngineCandidate[], host: EngineHost, last: string) {
    this.#host = host;
    this.#last = last;
    this.#members = candidates.map((candidate) => ({
      candidate,
      engine: null,
      out: null,
      failures: 0,
      rest: 0,
      model: null,
      usage: null,
      session: null,
    }));
    this.#serving = { member: null, engine: this.#passing() };
    // Its messages do not name the engines that fail later.
    this.#passThrough = null;
  }

  /** Creates the pool and its first engine. */
  static async of(candidates: readonly EngineCandidate[], host: EngineHost, last: string): Promise<EnginePool> {
    const pool = new EnginePool(candidates, host, last);
    await pool.serve();
    return pool;
  }

  /** The engine for everything except `compress` calls. */
  get current(): ContextEngine {
    return this.#serving.engine;
  }

  get isExhausted(): boolean {
    return this.#members.every(({ out }) => out !== null);
  }

  get outOfService(): { engine: string; reason: string; final?: true }[] {
    return this.#members.flatMap(({ candidate, out }) =>
      out ? [{ engine: candidate.name, reason: out.reason, ...(out.final ? { final: true as const } : {}) }] : [],
    );
  }

  /** Begins a call: engines that have sat out enough calls return to service. */
  beginCall(): void {
    this.#passedOver.clear();
    for (const member of this.#members) {
      if (!member.out || member.out.final) continue;
      if (member.rest > 0) member.rest--;
      else member.out = null;
    }
  }

  /** Prepares and returns the first engine in service that has not failed on this call, or the pass-through. */
  serve(): Promise<Serving> {
    return this.#inLine(() => this.#advance());
  }

  failed(member: PoolMember, error: unknown): EngineFailure {
    const engine = member.candidate.name;
    const reason = failureReason(error, this.#host.redact);
    if (member.candidate.trusted) {
      this.#passedOver.add(member);
      this.#host.emit({ type: 'engine-method-failed', engine, method: 'compress', reason });
      return { engine, reason, stays: true };
    }
    this.#retire(member, reason, PalimpsestError.is(error) && breaches.has(error.code));
    return { engine, reason, stays: false };
  }

  succeeded(member: PoolMember): void {
    if (member.failures > 0) this.#host.emit({ type: 'engine-restored', engine: member.candidate.name });
    member.failures = 0;
  }

  /** Ends a call: engines that failed on it serve again. */
  async endCall(): Promise<void> {
    if (this.#passedOver.size === 0) return;
    this.#passedOver.clear();
    await this.serve();
  }

  /** Takes an engine out of service because a snapshot says so. */
  remember(engine: unknown, reason: string, final: boolean): void {
    const member = this.#members.find(({ candidate, out }) => !out && candidate.name === engine);
    if (member) this.#retire(member, failureReason(reason, this.#host.redact), final);
  }

  async updateModel(model: ModelInfo): Promise<void> {
    // Checked here, so that an invalid model is reported as the caller's error and not blamed on an engine.
    checkModel(model);
    this.#model = { ...model };
    await this.#passThrough?.updateModel(model);
    await this.serve();
  }

  updateFromResponse(usage: Usage): void {
    // Copied, because a new object identity marks usage the engines have not been given yet.
    this.#usage = { ...usage };
    const { member, engine } = this.#serving;
    engine.updateFromResponse(usage);
    if (member) member.usage = this.#usage;
  }

  async startSession(info: SessionInfo): Promise<void> {
    if (info.model) {
      checkModel(info.model);
      this.#model = { ...info.model };
      await this.#passThrough?.updateModel(info.model);
    }
    this.#session = { ...info };
    await this.serve();
  }

  async endSession(messages: readonly Message[]): Promise<void> {
    this.#session = null;
    await this.#inLine(async () => {
      for (const { engine } of this.#members) await engine?.onSessionEnd(messages);
    });
  }

  /** Runs `work` with the current engine, after all earlier changes. */
  withCurrent<T>(work: (engine: ContextEngine) => Promise<T>): Promise<T> {
    return this.#inLine(async () => work((await this.#advance()).engine));
  }

  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const run = this.#line.then(work);
    this.#line = run.catch(() => undefined);
    return run;
  }

  async #advance(): Promise<Serving> {
    for (const member of this.#members)
      if (!member.out && !this.#passedOver.has(member) && (await this.#prepare(member))) {
        this.#serving = { member, engine: member.engine! };
        return this.#serving;
      }
    this.#serving = { member: null, engine: this.#passing() };
    return this.#serving;
  }

  /** Creates the engine if needed, and passes on the current model, usage and session. @returns false when it failed */
  async #prepare(member: PoolMember): Promise<boolean> {
    const isNew = member.engine === null;
    try {
      const engine = (member.engine ??= await member.candidate.create());
      const model = this.#model;
      if (model && member.model !== model) await engine.updateModel(model);
      member.model = model;
      const usage = this.#usage;
      if (usage && member.usage !== usage) engine.updateFromResponse(usage);
      member.usage = usage;
      const session = this.#session;
      if (session && member.session !== session) await engine.onSessionStart(model ? { ...session, model } : session);
      member.session = session;
      return true;
    } catch (error) {
      // Configuration errors of the main engine go to the caller, to be fixed before anything runs.
      if (isNew && member === this.#members[0] && PalimpsestError.is(error) && error.code === 'OPTION_INVALID')
        throw maskedError(error, this.#host.redact);
      this.#retire(member, failureReason(error, this.#host.redact), isNew || !member.candidate.trusted);
      return false;
    }
  }

  #retire(member: PoolMember, reason: string, final: boolean): void {
    member.out = { reason, final };
    member.rest = 2 ** Math.min(member.failures, 20);
    member.failures++;
    // A permanently retired engine is dropped to free its worker and memory.
    if (final) member.engine = null;
    this.#passThrough = null;
    const next = this.#members.find(({ out }) => !out)?.candidate.name ?? this.#last;
    this.#host.emit({ type: 'engine-quarantined', engine: member.candidate.name, fallback: next, reason });
  }

  #passing(): ContextEngine {
    if (this.#passThrough) return this.#passThrough;
    const engine = createPassThrough(this.#host, {
      outOfService: this.outOfService.map(({ engine: name }) => name),
      failed: [...this.#passedOver].map(({ candidate }) => candidate.name),
    });
    if (this.#model) void engine.updateModel(this.#model);
    if (this.#usage) engine.updateFromResponse(this.#usage);
    // Its messages name the engines that failed on this call, so it is not cached for later calls.
    if (this.#passedOver.size === 0) this.#passThrough = engine;
    return engine;
  }
}
