import { BackgroundPlanner } from '../compaction/background-planner.ts';
import type { SessionOptions } from '../options/session-options.ts';
import { createParts, type SessionParts } from '../parts/session-parts.ts';
import { Persistence } from '../persistence/persistence.ts';
import { InputReports } from '../request/input-reports.ts';
import { OperationQueue } from '../scheduling/operation-queue.ts';
import { openSession } from './open-session.ts';

/** The parts of a session and the services built on them. */
export interface SessionServices extends SessionParts {
  readonly background: BackgroundPlanner;
  readonly persistence: Persistence;
  readonly queue: OperationQueue;
  readonly reports: InputReports;
}

/** @throws {PalimpsestError} `OPTION_INVALID` */
export function createServices(options: SessionOptions): SessionServices {
  const parts = createParts(options);
  const persistence = new Persistence(parts, options);
  const queue = new OperationQueue(
    async () => {
      await openSession(parts, options.engine);
      await persistence.load();
    },
    async () => {
      await parts.provider.model.engineUpdated().catch(() => undefined);
      await persistence.restoreLate();
    },
  );
  return { ...parts, background: new BackgroundPlanner(parts), persistence, queue, reports: new InputReports(parts) };
}
