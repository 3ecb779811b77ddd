import { createRegistry } from '@palimpsest/registry';
import { createSession, type Session, type SessionEvent, type SessionOptions } from '@palimpsest/session';

/** A session with a small window that compacts by rules, and its events. */
export function makeSession(
  window = 8_000,
  options: Partial<SessionOptions> = {},
): {
  readonly session: Session;
  readonly events: readonly SessionEvent[];
} {
  const events: SessionEvent[] = [];
  const engines = { compressor: { minimumThreshold: 0, threshold: 0.6 } };
  const session = createSession({
    engine: (host) => createRegistry().create({ engine: 'compressor', engines }, host),
    model: { id: 'm', contextLength: window },
    summaries: 'rules',
    ...options,
  });
  session.on((event) => events.push(event));
  return { session, events };
}

/** Text of about so many tokens, different for every seed. */
export function filler(tokens: number, seed: number | string): string {
  const lines = Array.from({ length: Math.ceil(tokens / 10) }, (_, line) => `${seed}:${line} const value_${line} = 7;`);
  return lines.join('\n').slice(0, tokens * 4);
}
