import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Message } from '@palimpsest/core';

const folder = fileURLToPath(new URL('../../../../shared/transcripts', import.meta.url));

/** Names of the recorded transcripts in `../shared`; empty without that folder. */
export const sharedTranscripts: readonly string[] = existsSync(folder)
  ? readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'INDEX.json')
  : [];

export function readTranscript(name: string): Message[] {
  return (JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) as { messages: Message[] }).messages;
}
