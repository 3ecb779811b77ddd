import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '@palimpsest/core';

export interface NamedTranscript {
  readonly name: string;
  readonly messages: readonly Message[];
}

/** The transcripts of a data folder, in order of their names; none when the folder is absent. */
export function readTranscripts(dataFolder: string | null): NamedTranscript[] {
  const folder = dataFolder === null ? '' : join(dataFolder, 'transcripts');
  if (folder === '' || !existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') && file !== 'INDEX.json')
    .map((file) => ({
      name: file.slice(0, -5),
      messages: (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { messages: Message[] }).messages,
    }));
}
