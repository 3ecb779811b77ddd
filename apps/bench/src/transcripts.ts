import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Message } from '@palimpsest/core';
import type { NamedTranscript } from '@palimpsest/eval/measures';

const samples = fileURLToPath(new URL('../../compare/samples', import.meta.url));

/**
 * Reads the transcripts to measure on, sorted by name.
 * @param dataFolder folder with a `transcripts` subfolder; without one, the recorded samples of `apps/compare` are read
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

/** Describes the source of the transcripts for the report. */
export function transcriptSource(dataFolder: string | null): string {
  return transcriptFolder(dataFolder) === samples ? 'the recorded samples of apps/compare' : 'the shared transcripts';
}

function transcriptFolder(dataFolder: string | null): string {
  const folder = dataFolder === null ? samples : join(dataFolder, 'transcripts');
  return existsSync(folder) ? folder : samples;
}
