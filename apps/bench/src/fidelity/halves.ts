import { createHash } from 'node:crypto';

/** Which half a transcript belongs to: what is reported is never what was tuned on. */
export type Half = 'development' | 'held-out';

/** By the name alone, so that a transcript stays in its half whatever else lies in the folder. */
export function halfOf(name: string): Half {
  return (createHash('sha256').update(name).digest()[0]! & 1) === 0 ? 'development' : 'held-out';
}
