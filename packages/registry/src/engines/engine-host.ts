import { agentReader } from '@palimpsest/agents';
import { createHost, type EngineHost } from '@palimpsest/core';
import { checkOptions, hostRules } from '@palimpsest/core/authoring';
import { redact } from '@palimpsest/redactor';
import { createTokenCounter } from '@palimpsest/tokens';

/**
 * Creates a host with the built-in token counter (an estimate), the built-in redactor with word boundaries, and the
 * reader that recognizes many agents. The other defaults are those of `createHost`. `parts` overrides any of them.
 *
 * The counter does not know the model. If you do, pass `tokens: createModelCounter(model)` of `@palimpsest/tokens/models`.
 *
 * Create one host per session, because the counter caches the messages of its transcript.
 * @throws {PalimpsestError} `OPTION_INVALID` for a part that is not known
 */
export function createEngineHost(parts: Partial<EngineHost> = {}): EngineHost {
  checkOptions('createEngineHost', parts, hostRules);
  return createHost({
    ...parts,
    get summarizer() {
      return parts.summarizer;
    },
    get fallbackSummarizer() {
      return parts.fallbackSummarizer;
    },
    tokens: parts.tokens ?? createTokenCounter(),
    reader: parts.reader ?? agentReader,
    redact: parts.redact ? (text) => parts.redact!(text) : (text) => redact(text, { boundary: true }),
  });
}
