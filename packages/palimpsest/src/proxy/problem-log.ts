import { formatCount } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import type { SessionEvent } from '@palimpsest/session';
import type { ProxyObserver } from './events/proxy-event.ts';

/** The failures of one kind, over all conversations. */
interface Failures {
  readonly count: number;
  /** Why it failed the first time: one line, with secrets masked. */
  readonly reason: string;
}

/** An engine that failed, and the engine that took over. */
interface Replacement {
  readonly engine: string;
  readonly fallback: string;
}

/** Receives problems. */
interface ProblemListeners {
  /** Called with each problem, for a person. For a store, only the first failure of an outage. */
  readonly report?: (message: string) => void;
  /** Gets each failure of the store, and that it is back. */
  readonly observe?: ProxyObserver;
}

/** Collects what goes wrong in the sessions of a proxy, and reports it. */
export class ProblemLog {
  readonly #report: (message: string) => void;
  readonly #observe: ProxyObserver;
  readonly #storePlace: string;
  /** By the engine that failed and its fallback. */
  readonly #replaced = new Map<string, Failures & Replacement>();
  #failed: Failures | null = null;
  #storing: string | null = null;
  #isStoreDown = false;

  /** @param storePlace where the store is, such as `10.0.0.5:6379` */
  constructor({ report = () => {}, observe = () => {} }: ProblemListeners = {}, storePlace = '') {
    this.#report = report;
    this.#observe = observe;
    this.#storePlace = storePlace;
  }

  /** What the user must know at the end, in sentences without a final period. */
  get summary(): readonly string[] {
    const engines = [...this.#replaced.values()].map(
      ({ engine, fallback, count, reason }) =>
        `engine ${engine} failed ${formatCount(count, 'time')} (${reason}); ${fallback} was used instead`,
    );
    const failed =
      this.#failed === null ? [] : [`${formatCount(this.#failed.count, 'compaction')} failed (${this.#failed.reason})`];
    return [...engines, ...failed, ...(this.#storing === null ? [] : [this.#storing])];
  }

  /** Notes an event of a session, if it is a problem. */
  note(event: SessionEvent): void {
    if (event.type === 'engine-replaced') this.#engineReplaced(event);
    if (event.type === 'compaction-failed') this.#failed = oneMore(this.#failed, event.reason);
    if (event.type === 'store-failed') this.storeFailed(event.reason);
    if (event.type === 'store-back') this.storeBack(event.downMs);
    const problem = conversationProblem(event);
    if (problem !== null) this.#report(problem);
  }

  /** Notes that a conversation could not be stored or read. */
  storeFailed(reason: string): void {
    const words = `the store at ${this.#storePlace} failed: ${printable(reason)}`;
    this.#observe({ type: 'store-failed', reason: words });
    if (this.#isStoreDown) return;
    this.#isStoreDown = true;
    const problem = `${words}. Until it is back, conversations may not outlive a restart`;
    this.#storing ??= problem;
    this.#report(problem);
  }

  /** Notes that the store answers again. @param downMs milliseconds since it failed */
  storeBack(downMs: number): void {
    this.#isStoreDown = false;
    this.#observe({ type: 'store-back', downMs });
  }

  #engineReplaced(event: Replacement & { readonly reason: string }): void {
    const [engine, fallback] = [printable(event.engine, 60), printable(event.fallback, 60)];
    const reason = printable(event.reason);
    const key = `${engine} ${fallback}`;
    this.#replaced.set(key, { engine, fallback, ...oneMore(this.#replaced.get(key), reason) });
    this.#report(`engine ${engine} failed (${reason}); ${fallback} was used instead`);
  }
}

function oneMore(before: Failures | null | undefined, reason: string): Failures {
  return { count: (before?.count ?? 0) + 1, reason: before?.reason ?? printable(reason) };
}

/** The message to the user about an event that is a problem of one conversation; `null` for other events. */
export function conversationProblem(event: SessionEvent): string | null {
  switch (event.type) {
    case 'compaction-failed':
      return `A conversation was not compacted: ${event.reason}`;
    case 'compaction-blocked':
      return event.message;
    case 'compaction-exhausted':
    case 'request-passed-through':
    case 'state-discarded':
      return event.reason;
    default:
      return null;
  }
}
