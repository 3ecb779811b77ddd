import { counted } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import type { SessionEvent } from '@palimpsest/session';

/** The failures of one engine, over all conversations. */
export interface EngineFailures {
  readonly engine: string;
  readonly count: number;
  /** Why it failed the first time: one line, with secrets masked. */
  readonly reason: string;
  /** The engine that took over; `pass-through` if nothing was compacted. `null` if the engine stays in service. */
  readonly fallback: string | null;
}

/** Collects what goes wrong in the sessions of a proxy, and reports it. */
export class ProblemLog {
  readonly #report: (message: string) => void;
  readonly #failures = new Map<string, EngineFailures>();
  #storing: string | null = null;

  /** @param report called with each problem, once for a state folder that fails */
  constructor(report: (message: string) => void = () => {}) {
    this.#report = report;
  }

  /** The engines that failed. */
  get failures(): readonly EngineFailures[] {
    return [...this.#failures.values()];
  }

  /** What the user must know at the end, in sentences without a final period. */
  get summary(): readonly string[] {
    const engines = this.failures.map(
      ({ engine, count, reason, fallback }) =>
        `engine ${engine} failed ${counted(count, 'time')} (${reason})${instead(fallback)}`,
    );
    return this.#storing === null ? engines : [...engines, this.#storing];
  }

  /** Notes an event of a session, if it is a problem. */
  note(event: SessionEvent): void {
    if (event.type === 'engine-quarantined') this.#engineFailed(event, event.fallback);
    if (event.type === 'engine-method-failed') this.#engineFailed(event, null);
    if (event.type === 'store-failed') this.storeFailed(event.reason);
    const problem = otherProblem(event);
    if (problem !== null) this.#report(problem);
  }

  /** Notes that a conversation could not be stored or read. Only the first time is reported. */
  storeFailed(reason: string): void {
    if (this.#storing !== null) return;
    this.#storing = `the state folder failed, so conversations may not outlive a restart (${printable(reason)})`;
    this.#report(this.#storing);
  }

  #engineFailed({ engine: name, reason: text }: Pick<EngineFailures, 'engine' | 'reason'>, next: string | null): void {
    const [engine, reason] = [printable(name, 60), printable(text)];
    const fallback = next === null ? null : printable(next, 60);
    const before = this.#failures.get(engine);
    this.#failures.set(engine, {
      engine,
      count: (before?.count ?? 0) + 1,
      reason: before?.reason ?? reason,
      fallback: fallback ?? before?.fallback ?? null,
    });
    this.#report(`engine ${engine} failed (${reason})${instead(fallback)}`);
  }
}

function instead(fallback: string | null): string {
  if (fallback === null) return '';
  const isNone = fallback === 'pass-through' || fallback === 'none';
  return isNone ? '; nothing was compacted instead' : `; ${fallback} was used instead`;
}

/** The message to the user about an event that is a problem of one conversation; `null` for other events. */
function otherProblem(event: SessionEvent): string | null {
  switch (event.type) {
    case 'compress-failed':
      return `A conversation was not compacted: ${event.reason}`;
    case 'compress-blocked':
      return event.message;
    case 'compression-exhausted':
    case 'request-passed-through':
    case 'state-discarded':
      return event.reason;
    default:
      return null;
  }
}
