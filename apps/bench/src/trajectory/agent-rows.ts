import { closeSync, openSync, writeSync } from 'node:fs';
import type { Message } from '@palimpsest/core';
import { longTranscript } from '../speed/long-transcript.ts';

/** Messages of one request and its tool calls, as {@link longTranscript} generates them. */
const turnsOfRow = 51;
const distinct = 200;
/** One of every this many rows is long. */
const longEvery = 20;

/** Writes a data set of about `bytes` bytes and returns its number of rows. Most rows are short, as in real data sets; one in twenty has over 25,000 tokens. */
export function writeAgentRows(path: string, bytes: number): number {
  const session = longTranscript(turnsOfRow * distinct);
  const starts = session.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const file = openSync(path, 'w');
  let rows = 0;
  for (let written = 0; written < bytes; rows++) {
    const start = starts[rows % starts.length]!;
    const length = rows % longEvery === longEvery - 1 ? turnsOfRow : 5;
    const messages: Message[] = [
      { role: 'system', content: `You are a coding agent, run ${rows}.` },
      ...session.slice(start, start + length),
      { role: 'assistant', content: 'Done.' },
    ];
    written += writeSync(file, `${JSON.stringify({ id: rows, messages })}\n`);
  }
  closeSync(file);
  return rows;
}
