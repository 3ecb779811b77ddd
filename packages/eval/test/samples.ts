import { readFileSync } from 'node:fs';
import type { Message } from '@palimpsest/core';
import type { NamedTranscript } from '../src/transcripts/named-transcript.ts';

/** Read once: what is known of a message is cached by its object. */
const known = new Map<string, NamedTranscript>();

/** Recorded conversations of apps/compare. */
export const samples = (...names: readonly string[]): NamedTranscript[] =>
  names.map((name) => {
    const file = new URL(`../../../apps/compare/samples/${name}.json`, import.meta.url);
    const read = known.get(name) ?? {
      name,
      messages: (JSON.parse(readFileSync(file, 'utf8')) as { messages: Message[] }).messages,
    };
    known.set(name, read);
    return read;
  });
