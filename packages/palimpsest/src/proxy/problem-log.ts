import { formatCount } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import type { SessionEvent } from '@palimpsest/session';

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

/** Collects what goes wrong in the sessions of a proxy, and reports it. */
export class ProblemLog {
  readonly #report: (message: string) => void;
  readonly #onStoreFailed: () => void;
  /** By the engine that failed and its fallback. */
  readonly #replaced = new Map<string, Failures & Replacement>();
  #failed: Failures | null = null;
  #storing: string | null = null;

  /**
   * @param report called with each problem, once for a store that fails
   * @param onStoreFailed called each time that the store fails
   */
  constructor(report: (message: string) => void = () => {}, onStoreFailed: () => void = () => {}) {
    this.#report = report;
    this.#onStoreFailed = onStoreFailed;
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
    const problem = conversationProblem(event);
    if (problem !== null) this.#report(problem);
  }

  /** Notes that a conversation could not be stored or read. Only the first time is reported. */
  storeFailed(reason: string): void {
    this.#onStoreFailed();
    if (this.#storing !== null) return;
    this.#storing = `the store failed, so conversations may not outlive a restart (${printable(reason)})`;
    this.#report(this.#storing);
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
