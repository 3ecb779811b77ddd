import { createHost, type EngineHost } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { createTokenCounter } from '@palimpsest/tokens';

/**
 * A complete host with the house's own parts: the estimating token counter, and the redactor with word boundaries for
 * text that leaves. Everything else is as in `createHost`; whatever `parts` names replaces the default.
 *
 * Make one host per session: the counter remembers the messages of its transcript.
 */
export function createEngineHost(parts: Partial<EngineHost> = {}): EngineHost {
  return createHost({
    ...parts,
    tokens: parts.tokens ?? createTokenCounter(),
    redact: parts.redact ? (text) => parts.redact!(text) : (text) => redact(text, { boundary: true }),
  });
}
