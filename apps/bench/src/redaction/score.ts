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
  readonly secrets: number;
  readonly masked: number;
  readonly harmless: number;
  readonly changed: number;
}

/** Returns true for cases of the development half, by a hash of the name. Rules were written on this half only. */
export const isDevelopment = ({ name }: Case): boolean => createHash('sha1').update(name).digest()[0]! % 2 === 0;

/** Scores one library on the cases. */
export async function score(cases: readonly Case[], { redact }: Candidate): Promise<Score> {
  const secrets = cases.filter(
    ({ expect, placeholder, secret }) => expect === 'redact' && !placeholder && secret !== null,
  );
  const harmless = cases.filter(({ expect, ambiguous }) => expect === 'keep' && !ambiguous);
  let [masked, changed] = [0, 0];
  for (const { input, secret } of secrets) if (!(await redact(input)).includes(secret!)) masked++;
  for (const { input } of harmless) if ((await redact(input)) !== input) changed++;
  return { secrets: secrets.length, masked, harmless: harmless.length, changed };
}
