import {
  type Clock,
  type ContextEngine,
  createHost,
  type EngineHost,
  type Message,
  type ModelInfo,
  systemClock,
} from '@palimpsest/core';
import { checkModel, maskedJson, Transcript } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import { createTokenCounter } from '@palimpsest/tokens';
import type { CompactionRecord } from './compaction-record.ts';
import { type Assembled, assemble } from './conversation/assemble.ts';
import type { Checkpoint } from './conversation/checkpoint.ts';
import { createIntake, type Intake } from './conversation/intake.ts';
import { CheckpointChain, type Projection } from './conversation/projection.ts';
import type { ProviderFailure } from './failure/provider-failure.ts';
import { newHandoffKey } from './persistence/handoff-key.ts';
import type { HygieneState } from './persistence/session-snapshot.ts';
import { type MeteredRequest, type PromptMeasure, PromptMeter } from './prompt-meter.ts';
import { StrippedContent } from './recovery/stripped-content.ts';
import type { SessionEvent, SessionNews } from './session-event.ts';
import { type ResolvedOptions, resolveOptions, type SessionOptions } from './session-options.ts';
import { TurnLimits } from './turn-limits.ts';

/** One request in hand: the caller's conversation and what goes with it. */
export interface Work {
  readonly intake: Intake;
  readonly tools: readonly unknown[] | undefined;
  /** A system prompt beside the messages. */
  readonly system: unknown;
  readonly maxTokens: number | undefined;
  readonly leastTokens: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A request as it would go out now. */
export interface View {
  readonly projection: Projection;
  readonly assembled: Assembled;
  readonly system: unknown;
  readonly request: MeteredRequest;
  readonly size: PromptMeasure;
}

/** A request as it went out, for what the provider says about it. */
export interface Sent {
  readonly work: Work;
  readonly request: MeteredRequest;
  readonly size: PromptMeasure;
  readonly model: string;
  readonly checkpoint: number | null;
  /** True for a request outside the session's conversation: its usage report does not apply to the conversation. */
  readonly aside: boolean;
}

const mostRecords = 100;

/** The state of a session and what its parts share. Only operations that run one at a time touch it. */
export class SessionCore {
  readonly id: string;
  readonly given: SessionOptions;
  readonly options: ResolvedOptions;
  readonly clock: Clock;
  readonly host: EngineHost;
  readonly redact: (text: string) => string;
  readonly chain: CheckpointChain;
  readonly meter: PromptMeter;
  readonly turns: TurnLimits;
  readonly takeIn: (source: readonly Message[]) => Intake;
  readonly listeners: Set<(event: SessionEvent) => void> = new Set();
  readonly limits: Map<string, number> = new Map();
  readonly outputCaps: Map<string, number> = new Map();
  /** The largest reported size of an answered prompt, per model id. Tokens. */
  readonly answeredTokens: Map<string, number> = new Map();
  readonly stripped: StrippedContent = new StrippedContent();
  /** Set once the engine is made. */
  engine: ContextEngine | null = null;
  model: ModelInfo;
  records: readonly CompactionRecord[] = [];
  next = 1;
  hygiene: HygieneState = { failures: 0, until: 0 };
  held = false;
  /** Key that signs the handoffs of this session. Stored with its state, unless derived from the host's key. */
  handoffKey: string;
  lastActivity: number | null = null;
  /** Reason and user turn of the last `compress-blocked` event. */
  announcedBlock: string | null = null;
  /** The output cap before a refusal lowered it; `null` when it was not lowered. */
  loweredFrom: number | null = null;
  lastWork: Work | null = null;
  /** The request a compaction is being planned for. */
  underWay: Work | null = null;
  lastSent: Sent | null = null;
  /** Share of the last answered prompt that was cached. */
  lastCachedShare: number | null = null;
  /** An overflow that was told inside of a stream: the next request begins with it. */
  pendingRefusal: ProviderFailure | null = null;
  /** The compaction under way, and whether a hook of the host's runs: what the hook asks of the session must not wait for itself. */
  compaction: number | null = null;
  inHook = false;

  constructor(given: SessionOptions) {
    this.options = resolveOptions(given);
    this.given = given;
    this.id = given.id ?? globalThis.crypto.randomUUID();
    this.handoffKey = given.key === undefined ? newHandoffKey() : `${given.key} ${this.id}`;
    this.clock = given.clock ?? systemClock;
    this.redact = given.redact ?? ((text) => redact(text, { boundary: true }));
    this.model = given.model;
    this.meter = new PromptMeter(given.tokens ?? createTokenCounter());
    this.chain = new CheckpointChain(this.options.keepCheckpoints, {
      problemWith: (projection, messages) => this.#leavesOutRequest(projection, messages),
      dropped: ({ number }: Checkpoint, reason) =>
        this.publish({ type: 'state-discarded', reason: `The stored compaction ${number} is not used. ${reason}` }),
    });
    this.turns = new TurnLimits(this.options);
    this.takeIn = createIntake(given.dialect ?? 'openai');
    this.host = createHost({
      // A function, because restoring a state replaces the key.
      handoffKey: () => this.handoffKey,
      tokens: this.meter.counter,
      redact: this.redact,
      clock: this.clock,
      emit: (event) => this.publish(event),
      ...(given.isRequest ? { isRequest: given.isRequest } : {}),
      ...(given.dialect ? { dialect: given.dialect } : {}),
    });
  }

  /** The engine; only operations that waited for it may ask. */
  get ready(): ContextEngine {
    if (!this.engine) throw new Error('The engine of this session is not made yet.');
    return this.engine;
  }

  /** The window in force: the model's, or the smaller one its provider reported. */
  get window(): number {
    const learned = this.limits.get(this.model.id) ?? Number.POSITIVE_INFINITY;
    return this.model.contextLength > 0
      ? Math.min(this.model.contextLength, learned)
      : Number.isFinite(learned)
        ? learned
        : 0;
  }

  /** Tells the engine which window is in force. */
  applyModel(): void {
    this.engine?.updateModel({ ...this.model, contextLength: this.window });
  }

  switchModel(model: ModelInfo): void {
    checkModel(model);
    const before = this.model;
    const { id, contextLength, reserveOutputTokens } = model;
    if (
      id === before.id &&
      contextLength === before.contextLength &&
      reserveOutputTokens === before.reserveOutputTokens
    )
      return;
    this.model = model;
    if (id !== before.id) this.meter.forgetReport();
    this.applyModel();
    this.publish({ type: 'model-switch', from: before.id, to: id, contextLength: this.window });
  }

  /** Tokens a prompt may have beside the answer that is asked for; no answer is left more than half of the window. */
  room(work: Work): number {
    const { window } = this;
    if (window <= 0) return Number.POSITIVE_INFINITY;
    const answer = work.maxTokens ?? this.model.reserveOutputTokens ?? 0;
    return window - Math.min(Math.max(0, answer), Math.floor(window / 2));
  }

  view(work: Work): View {
    const projection = this.chain.project(work.intake.messages);
    const assembled = assemble(work.intake, projection, (message, at) =>
      this.stripped.apply(message, at, this.model.id),
    );
    const rebuilt = projection.checkpoint?.overlay.system ?? null;
    const system = rebuilt !== null && work.system !== undefined ? rebuilt : work.system;
    const request = { messages: assembled.plain, tools: work.tools, system };
    return { projection, assembled, system, request, size: this.meter.measure(request, this.model.id) };
  }

  #leavesOutRequest({ provenance }: Projection, messages: readonly Message[]): string | null {
    const { request } = Transcript.of(messages, this.meter.counter, this.host.isRequest);
    const outcomes = request ? provenance.source.slice(request.from, request.to) : [];
    const lost = outcomes.some(({ kind }) => kind === 'summarized' || kind === 'dropped');
    return lost ? 'It leaves out what the user asked last.' : null;
  }

  addRecord(record: CompactionRecord): void {
    this.records = [...this.records, record].slice(-mostRecords);
  }

  replaceRecord(number: number, change: Partial<CompactionRecord>): void {
    this.records = this.records.map((record) => (record.number === number ? { ...record, ...change } : record));
  }

  /** Tells everybody who listens. What they throw is theirs. */
  publish(news: SessionNews | Parameters<EngineHost['emit']>[0]): void {
    const event = {
      ...masked(news, this.redact),
      type: news.type,
      sessionId: this.id,
      compaction: this.compaction,
      at: this.clock.now(),
    } as SessionEvent;
    for (const listener of [...this.listeners, (told: SessionEvent) => this.given.hooks?.onEvent?.(told)])
      try {
        listener(event);
      } catch {
        // A listener cannot stop a request.
      }
  }
}

/** Maximum length of a reason in an event. Characters. */
const longestReason = 400;

/** Masks secrets, then cuts the reason. In this order, because the redactor does not recognize half of a secret. */
function masked(news: object, redact: (text: string) => string): object {
  const event = maskedJson(news, redact) as Readonly<Record<string, unknown>>;
  const { reason } = event;
  if (typeof reason !== 'string' || reason.length <= longestReason) return event;
  return { ...event, reason: `${reason.slice(0, longestReason)}...` };
}
