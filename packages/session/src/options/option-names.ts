import type { SessionOptionCheck } from './option-check.ts';
import type { SessionRecallOptions } from './recall-options.ts';
import type { SessionHooks } from './session-hooks.ts';
import type { HygieneOptions, LimitOptions, SessionOptions, ShapeOptions } from './session-options.ts';

/** The names of an interface's fields. The compiler rejects a list that is not complete. */
export function namesOf<Options>(names: Record<keyof Options, true>): readonly string[] {
  return Object.keys(names);
}

/** The names of all options of a session. */
export const sessionOptionNames: readonly string[] = namesOf<SessionOptions>({
  engine: true,
  model: true,
  id: true,
  store: true,
  key: true,
  hooks: true,
  auto: true,
  summaries: true,
  waitUntil: true,
  hygiene: true,
  limits: true,
  recall: true,
  compactTool: true,
  shapeResults: true,
  prices: true,
  keepCheckpoints: true,
  hookTimeoutMs: true,
  storeTimeoutMs: true,
  tokens: true,
  redact: true,
  reader: true,
  isRequest: true,
  dialect: true,
  clock: true,
});

const hygieneNames = namesOf<HygieneOptions>({ at: true, messages: true, idle: true, cooldownMs: true });
const limitNames = namesOf<LimitOptions>({ attempts: true, rapid: true });
const shapeNames = namesOf<ShapeOptions>({ at: true, files: true });
export const hookNames: readonly string[] = namesOf<SessionHooks>({
  beforeCompress: true,
  afterCompress: true,
  shrinkImage: true,
  onEvent: true,
});
const recallNames = namesOf<SessionRecallOptions>({ maxTokens: true, store: true, archive: true });

/** Rejects misspelled options, which would be ignored otherwise. */
export function checkNames(check: SessionOptionCheck, options: SessionOptions): void {
  if (!check.object('', options, sessionOptionNames, 'an object with engine and model')) check.finish('createSession');
  check.known('hygiene', options.hygiene, hygieneNames);
  check.known('hygiene.idle', options.hygiene?.idle, ['afterMs', 'at']);
  check.known('limits', options.limits, limitNames);
  check.known('limits.rapid', options.limits?.rapid, ['compactions', 'requests', 'withinMs']);
  check.known('shapeResults', options.shapeResults, shapeNames);
  check.known('recall', options.recall, recallNames);
}
