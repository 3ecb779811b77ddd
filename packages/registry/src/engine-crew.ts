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
import type { EngineCandidate } from './engine-candidate.ts';
import { failureReason } from './failure-reason.ts';
import { maskedError } from './masked-error.ts';
import { createPassThrough } from './pass-through.ts';

/** A candidate engine and its current state. */
export interface CrewMember {
  readonly candidate: EngineCandidate;
  /** Created on first use. */
  engine: ContextEngine | null;
  /** Why it is out of service; `null` while in service. */
  out: { readonly reason: string; readonly final: boolean } | null;
  /** Consecutive failed calls. */
  failures: number;
  /** Remaining calls to sit out. */
  rest: number;
  /** The model, usage and session the engine was last given. */
  model: ModelInfo | null;
  usage: Usage | null;
  session: SessionInfo | null;
}

/** A failed call of an engine. */
export interface EngineFailure {
  readonly engine: string;
  readonly reason: string;
  /** True when the engine stays in service. */
  readonly stays: boolean;
}

/** Error codes for contract violations: an invalid answer, or none. The input cannot be the cause. */
const breaches: ReadonlySet<string> = new Set(['PLAN_INVALID', 'PLAN_CONFLICT', 'INVARIANT_VIOLATED', 'ENGINE_FAILED']);

/**
 * The pool of engines of one session. Tracks which are in service, and which model, usage and session each was given.
 */
export class EngineCrew {
  readonly #members: readonly CrewMember[];
  readonly #host: EngineHost;
  /** Fallback name in events when no engine is left. */
  readonly #last: string;
  /** Built-in engines that failed on the call in progress. */
  readonly #passedOver: Set<CrewMember> = new Set();
  #passThrough: ContextEngine | null = null;
  #model: ModelInfo | null = null;
  #usage: Usage | null = null;
  #session: SessionInfo | null = null;
  /** Resolves when `onSessionStart` of the engine that took over has finished. */
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

  /** Returns engines to service that have sat out enough calls. */
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

  /** The engine used for everything except `compress` calls. */
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

  /** Takes an engine out of service because it was so in a snapshot. */
  remember(engine: unknown, reason: string, final: boolean): void {
    const member = this.#members.find(({ candidate, out }) => !out && candidate.name === engine);
    if (member) this.#retire(member, failureReason(reason, this.#host.redact), final);
  }

  updateModel(model: ModelInfo): void {
    // Checked here, so that an invalid model is reported as the caller's error and not blamed on an engine.
    checkModel(model);
    this.#model = { ...model };
    this.#passThrough?.updateModel(model);
    this.current();
  }

  updateFromResponse(usage: Usage): void {
    // Copied, because a new object identity marks usage the engines have not been given yet.
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

  /** Creates the engine if needed, and passes on the current model, usage and session. @returns false when it failed */
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
      // Configuration errors of the main engine go to the caller, to be fixed before anything runs.
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
    if (this.#model) engine.updateModel(this.#model);
    if (this.#usage) engine.updateFromResponse(this.#usage);
    // Its messages name the engines that failed on this call, so it is not cached for later calls.
    if (this.#passedOver.size === 0) this.#passThrough = engine;
    return engine;
  }
}
