import { agentReader } from '@palimpsest/agents';
import { createHost, type EngineHost } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { createTokenCounter } from '@palimpsest/tokens';

/**
 * A complete host with built-in parts: the estimating token counter, the redactor with word boundaries for text that
 * leaves, and the reader that knows many agents. Everything else is as in `createHost`; whatever `parts` names replaces the default.
 *
 * Make one host per session: the counter remembers the messages of its transcript.
 */
export function createEngineHost(parts: Partial<EngineHost> = {}): EngineHost {
  return createHost({
    ...parts,
    tokens: parts.tokens ?? createTokenCounter(),
    reader: parts.reader ?? agentReader,
    redact: parts.redact ? (text) => parts.redact!(text) : (text) => redact(text, { boundary: true }),
  });
}
