import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Candidate } from './candidates.ts';

/** A text with a secret, or a harmless text that looks like one. */
export interface Case {
  readonly name: string;
  readonly input: string;
  readonly secret: string | null;
  readonly kind: string;
  readonly source: string;
  readonly expect: 'redact' | 'keep';
  readonly placeholder?: boolean;
  readonly ambiguous?: boolean;
}

/** Reads the public corpus from the data folder; `null` if it is missing. */
export function readCases(dataFolder: string | null): Case[] | null {
  const path = dataFolder === null ? '' : join(dataFolder, 'secrets', 'cases.json.gz');
  return existsSync(path) ? (JSON.parse(gunzipSync(readFileSync(path)).toString()) as Case[]) : null;
}

/** Counts of secrets and masked secrets, and of harmless texts and changed ones. */
export interface Score {
  secrets: number;
  masked: number;
  harmless: number;
  changed: number;
}

const emptyScore = (): Score => ({ secrets: 0, masked: 0, harmless: 0, changed: 0 });

/** Returns true for cases of the development half, by a hash of the name. Rules were written on this half only. */
const isDevelopment = ({ name }: Case): boolean => createHash('sha1').update(name).digest()[0]! % 2 === 0;

export interface Scores {
  readonly total: Score;
  readonly development: Score;
  readonly other: Score;
  readonly byKind: Map<string, Score>;
}

/** Scores one library on the cases. */
export async function score(cases: readonly Case[], candidate: Candidate): Promise<Scores> {
  const scores: Scores = { total: emptyScore(), development: emptyScore(), other: emptyScore(), byKind: new Map() };
  for (const one of cases) {
    const isSecret = one.expect === 'redact' && !one.placeholder && one.secret !== null;
    const isHarmless = one.expect === 'keep' && !one.ambiguous;
    if (!isSecret && !isHarmless) continue;
    const kind = scores.byKind.get(one.kind) ?? emptyScore();
    scores.byKind.set(one.kind, kind);
    const output = await candidate.redact(one.input);
    for (const tally of [scores.total, kind, isDevelopment(one) ? scores.development : scores.other]) {
      if (isSecret) {
        tally.secrets += 1;
        if (!output.includes(one.secret!)) tally.masked += 1;
      } else {
        tally.harmless += 1;
        if (output !== one.input) tally.changed += 1;
      }
    }
  }
  return scores;
}
