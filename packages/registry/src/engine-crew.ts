import {
  type ContextEngine,
  checkModel,
  type EngineHost,
  type Message,
  type ModelInfo,
  PalimpsestError,
  type SessionInfo,
  type Usage,
} from '@palimpsest/core';
import type { EngineCandidate } from './engine-candidate.ts';
import { failureReason } from './failure-reason.ts';
import { maskedError } from './masked-error.ts';
import { createPassThrough } from './pass-through.ts';

/** One candidate, and how it is doing. */
export interface CrewMember {
  readonly candidate: EngineCandidate;
  /** Made when it is needed. */
  engine: ContextEngine | null;
  /** Why it is out of service; `null` while it is not. */
  out: { readonly reason: string; readonly final: boolean } | null;
  /** Calls it failed on in a row. */
  failures: number;
  /** Calls it still rests for. */
  rest: number;
  /** What it was last told. */
  model: ModelInfo | null;
  usage: Usage | null;
  session: SessionInfo | null;
}

/** One call an engine failed on. */
export interface EngineFailure {
  readonly engine: string;
  readonly reason: string;
  /** True for an engine that stays in service. */
  readonly stays: boolean;
}

/** What no input can be blamed for: the engine answered against the contract, or did not answer at all. */
const breaches: ReadonlySet<string> = new Set(['PLAN_INVALID', 'PLAN_CONFLICT', 'INVARIANT_VIOLATED', 'ENGINE_FAILED']);

/** The engines of one session: who serves, who rests, who is out of service, and what each of them has been told. */
export class EngineCrew {
  readonly #members: readonly CrewMember[];
  readonly #host: EngineHost;
  /** What an event names when no engine is left. */
  readonly #last: string;
  /** Built-in engines that failed on the call in progress. */
  readonly #passedOver: Set<CrewMember> = new Set();
  #passThrough: ContextEngine | null = null;
  #model: ModelInfo | null = null;
  #usage: Usage | null = null;
  #session: SessionInfo | null = null;
  /** Resolves when the engine that took over has been told of the session. */
  starting: Promise<void> = Promise.resolve();

  constructor(candidates: readonly EngineCandidate[], host: EngineHost, last: string) {
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
  }

  get isExhausted(): boolean {
    return this.#members.every(({ out }) => out !== null);
  }

  get outOfService(): { engine: string; reason: string; final?: true }[] {
    return this.#members.flatMap(({ candidate, out }) =>
      out ? [{ engine: candidate.name, reason: out.reason, ...(out.final ? { final: true as const } : {}) }] : [],
    );
  }

  /** Engines that have rested long enough are in service again. */
  beginCall(): void {
    this.#passedOver.clear();
    for (const member of this.#members) {
      if (!member.out || member.out.final) continue;
      if (member.rest > 0) member.rest--;
      else member.out = null;
    }
  }

  /** The first engine in service that has not failed on this call; `null` when none is left. */
  serving(): CrewMember | null {
    for (const member of this.#members)
      if (!member.out && !this.#passedOver.has(member) && this.#isReady(member)) return member;
    return null;
  }

  engineOf(member: CrewMember | null): ContextEngine {
    return member?.engine ?? this.#passing();
  }

  /** The engine that answers for everything but a call of `compress`. */
  current(): ContextEngine {
    for (const member of this.#members) if (!member.out && this.#isReady(member)) return member.engine!;
    return this.#passing();
  }

  failed(member: CrewMember, error: unknown): EngineFailure {
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

  succeeded(member: CrewMember): void {
    if (member.failures > 0) this.#host.emit({ type: 'engine-restored', engine: member.candidate.name });
    member.failures = 0;
  }

  /** Takes an engine out of service that a snapshot says was. */
  remember(engine: unknown, reason: string, final: boolean): void {
    const member = this.#members.find(({ candidate, out }) => !out && candidate.name === engine);
    if (member) this.#retire(member, failureReason(reason, this.#host.redact), final);
  }

  updateModel(model: ModelInfo): void {
    // The caller's mistake, and no engine's.
    checkModel(model);
    this.#model = { ...model };
    this.#passThrough?.updateModel(model);
    this.current();
  }

  updateFromResponse(usage: Usage): void {
    // A copy, because what is another object has not been told yet.
    this.#usage = { ...usage };
    this.current();
    this.#passThrough?.updateFromResponse(usage);
  }

  async startSession(info: SessionInfo): Promise<void> {
    if (info.model) this.updateModel(info.model);
    this.#session = { ...info };
    this.current();
    await this.starting;
  }

  async endSession(messages: readonly Message[]): Promise<void> {
    this.#session = null;
    for (const { engine } of this.#members) await engine?.onSessionEnd(messages);
  }

  /** Makes the engine, if it is not made yet, and tells it what it has not been told. */
  #isReady(member: CrewMember): boolean {
    const isNew = member.engine === null;
    try {
      const engine = (member.engine ??= member.candidate.create());
      if (this.#model && member.model !== this.#model) engine.updateModel(this.#model);
      member.model = this.#model;
      if (this.#usage && member.usage !== this.#usage) engine.updateFromResponse(this.#usage);
      member.usage = this.#usage;
      if (this.#session && member.session !== this.#session) {
        const info = this.#model ? { ...this.#session, model: this.#model } : this.#session;
        this.starting = engine.onSessionStart(info).catch(() => undefined);
      }
      member.session = this.#session;
      return true;
    } catch (error) {
      // What the configuration got wrong is for the caller to correct before anything runs.
      if (isNew && member === this.#members[0] && PalimpsestError.is(error) && error.code === 'OPTION_INVALID')
        throw maskedError(error, this.#host.redact);
      this.#retire(member, failureReason(error, this.#host.redact), isNew || !member.candidate.trusted);
      return false;
    }
  }

  #retire(member: CrewMember, reason: string, final: boolean): void {
    member.out = { reason, final };
    member.rest = 2 ** Math.min(member.failures, 20);
    member.failures++;
    // One that does not come back is dropped, and with it what it holds: its worker, its memory.
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
    if (this.#model) engine.updateModel(this.#model);
    if (this.#usage) engine.updateFromResponse(this.#usage);
    // What it says names the engines that failed, and those of one call are not those of the next.
    if (this.#passedOver.size === 0) this.#passThrough = engine;
    return engine;
  }
}
