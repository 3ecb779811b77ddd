import { createHash } from 'node:crypto';
import { unnamedKey } from './agent-key.ts';
import type { Identity } from './match.ts';

/**
 * True if a conversation is held out: it is compacted only when it must be. The choice depends on what identifies the
 * conversation, so every process makes the same one: on what the agent says about its session or user, and without that on the first message.
 * @param share of the conversations that is held out, 0 to 1
 */
export function isHeldOut({ scope, key, chain }: Pick<Identity, 'scope' | 'key' | 'chain'>, share: number): boolean {
  const first = key === unnamedKey ? (chain[0] ?? '') : '';
  const hash = createHash('sha256').update(`${scope}\n${key}\n${first}`).digest();
  return hash.readUInt32BE() < share * 2 ** 32;
}
