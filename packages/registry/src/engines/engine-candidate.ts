import type { ContextEngine, EngineHost } from '@palimpsest/core';
import { createEngine, type EnginePlugin } from '@palimpsest/core/authoring';
import { failureReason } from '../border/failure-reason.ts';
import { guardedHost } from '../border/guarded-host.ts';
import { guardedPlanner, type PlannerGuard } from '../border/guarded-planner.ts';
import { jsonCopy } from '../border/json-copy.ts';
import { createWatch, type Deadlines, defaultDeadlines } from '../border/watch.ts';

/** An engine that can handle calls; created when it is first needed. */
export interface EngineCandidate {
  readonly name: string;
  /** True for a built-in engine: a failed call never takes it out of service. */
  readonly trusted: boolean;
  /** Creates the engine. If it rejects, the next candidate serves. */
  create(): Promise<ContextEngine>;
}

export interface CandidateOptions {
  /** Validated by the plugin's own schema. */
  readonly options: unknown;
  /** Pass it the messages themselves, and do not validate its answers. @default false */
  readonly trusted?: boolean | undefined;
  readonly deadlines?: Deadlines | undefined;
}

/** Creates a candidate that runs a plugin behind `guardedPlanner`. */
export function engineCandidate(
  plugin: EnginePlugin,
  host: EngineHost,
  { options, trusted = false, deadlines = defaultDeadlines }: CandidateOptions,
): EngineCandidate {
  const { name: engine } = plugin;
  const redact = (text: string): string => host.redact(text);
  const told = new Set<string>();
  const report = (method: string, error: unknown): void => {
    if (told.has(method)) return;
    told.add(method);
    const reason = failureReason(error, host.redact);
    host.emit({ type: 'engine-method-failed', engine, method, reason });
  };
  return {
    name: engine,
    trusted,
    async create() {
      const watch = createWatch(host.clock, deadlines);
      const guard: PlannerGuard = { engine, host, watch, trusted, report };
      const created = await watch.run(
        engine,
        (signal) => plugin.create(options, guardedHost(host, engine, watch, trusted), signal),
        {
          final: !trusted,
        },
      );
      const planner = guardedPlanner(created, guard);
      return createEngine(planner, host, {
        name: engine,
        stateVersion: plugin.stateVersion,
        ...(plugin.migrate
          ? {
              migrate: async (state: unknown, fromVersion: number): Promise<unknown> => {
                try {
                  const own = jsonCopy(state, 'the state', { redact });
                  const carried = await watch.run(engine, (signal) => plugin.migrate!(own, fromVersion, signal), {
                    final: !trusted,
                  });
                  return jsonCopy(carried, 'the migrated state', { frozen: true, redact });
                } catch (error) {
                  report('migrate', error);
                  return planner.initial;
                }
              },
            }
          : {}),
      });
    },
  };
}
