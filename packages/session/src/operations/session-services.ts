import type { ContextEngine, ToolSchema } from '@palimpsest/core';
import { invalidOptions } from '@palimpsest/core/authoring';
import { CompactionPlanner, type PlanningParts, type SharedPlans } from '../compaction/compaction-planner.ts';
import { errorReason } from '../events/error-reason.ts';
import type { SessionOptions } from '../options/session-options.ts';
import { isSharedStore } from '../options/session-store.ts';
import { createParts, type SessionParts } from '../parts/session-parts.ts';
import { OwnPersistence, type Persistence } from '../persistence/persistence.ts';
import { SharedPersistence } from '../persistence/shared-persistence.ts';
import { InputReports } from '../request/input-reports.ts';
import { OperationQueue } from '../scheduling/operation-queue.ts';
import { untilCommitted } from './until-committed.ts';

/** The parts of a session and the services built on them. */
export interface SessionServices extends PlanningParts {
  readonly persistence: Persistence;
  readonly queue: OperationQueue;
  readonly reports: InputReports;
}

/** @throws {PalimpsestError} `OPTION_INVALID` */
export function createServices(options: SessionOptions): SessionServices {
  const parts = createParts(options);
  const { store } = options;
  const persistence = isSharedStore(store)
    ? new SharedPersistence(parts, options, store)
    : new OwnPersistence(parts, options);
  const queue = new OperationQueue(
    async () => {
      await openSession(parts, options.engine);
      await persistence.load();
    },
    async () => {
      await parts.provider.model.engineUpdated().catch(() => undefined);
      await persistence.restoreLate();
    },
    () => persistence.refresh(),
  );
  const shared = persistence instanceof SharedPersistence ? createSharedPlans(queue, persistence) : null;
  const planner = new CompactionPlanner(parts, shared);
  return { ...parts, planner, persistence, queue, reports: new InputReports(parts) };
}

/** How plans are made where several processes serve a conversation. */
function createSharedPlans(queue: OperationQueue, persistence: SharedPersistence): SharedPlans {
  return {
    reserve: () => persistence.reserve(),
    async commit(swapIn) {
      await queue.runIfOpen(async () => {
        await untilCommitted(persistence, async () => (await swapIn()) !== null);
      });
    },
  };
}

/** Creates the engine of a session, and starts the session on it. */
async function openSession(
  { engine, events, host, id, options, provider: { model }, recall }: SessionParts,
  given: SessionOptions['engine'],
): Promise<void> {
  const created = typeof given === 'function' ? await given(host) : given;
  const shared = findSharedName(created, recall.tools);
  if (shared !== undefined) {
    if (options.isRecallGiven) rejectName(created, shared);
    recall.turnOff();
  }
  engine.set(created);
  model.updateEngine();
  await model.engineUpdated();
  try {
    await engine.ready.onSessionStart({ sessionId: id });
  } catch (error) {
    events.publish({ type: 'hook-failed', hook: 'engine.onSessionStart', reason: errorReason(error) });
  }
}

/** The name of a tool of the engine that is also one of the session's own. */
function findSharedName(engine: ContextEngine, own: readonly ToolSchema[]): string | undefined {
  const names = new Set(own.map((schema) => schema.function.name));
  return engine.toolSchemas().find((schema) => names.has(schema.function.name))?.function.name;
}

/** @throws {PalimpsestError} `OPTION_INVALID` */
function rejectName(engine: ContextEngine, shared: string): never {
  const message = `The engine "${engine.name}" has a tool "${shared}" of its own. Turn off the session's tools: recall: false.`;
  throw invalidOptions([{ path: 'recall', message }], { owner: 'createSession' });
}
