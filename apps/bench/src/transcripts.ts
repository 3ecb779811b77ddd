import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Message } from '@palimpsest/core';

export interface NamedTranscript {
  readonly name: string;
  readonly messages: readonly Message[];
}

const samples = fileURLToPath(new URL('../../compare/samples', import.meta.url));

/**
 * The transcripts to measure on, in order of their names.
 * @param dataFolder its `transcripts`, where there are any; else the recorded samples that come with the demo
 */
export function readTranscripts(dataFolder: string | null): NamedTranscript[] {
  const folder = transcriptFolder(dataFolder);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') && file !== 'INDEX.json')
    .sort()
    .map((file) => ({
      name: file.slice(0, -5),
      messages: (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { messages: Message[] }).messages,
    }));
}

/** What the transcripts are, in words for the report. */
export function transcriptSource(dataFolder: string | null): string {
  return transcriptFolder(dataFolder) === samples ? 'the recorded samples of apps/compare' : 'the shared transcripts';
}

function transcriptFolder(dataFolder: string | null): string {
  const folder = dataFolder === null ? samples : join(dataFolder, 'transcripts');
  return existsSync(folder) ? folder : samples;
}
