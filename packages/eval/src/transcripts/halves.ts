import { createHash } from 'node:crypto';

/** Half of the transcripts: rules are tuned on `development`, and results are reported on `held-out`. */
export type Half = 'development' | 'held-out';

/** Returns the half of a transcript, by a hash of its name, so that adding transcripts does not move others. */
export function halfOf(name: string): Half {
  return (createHash('sha256').update(name).digest()[0]! & 1) === 0 ? 'development' : 'held-out';
}
