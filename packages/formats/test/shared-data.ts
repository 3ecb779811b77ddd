import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Message } from '@palimpsest/core';
import type { AnthropicConversation } from '../src/index.ts';

const root = fileURLToPath(new URL('../../../../shared/', import.meta.url));

/** True if the real data for development exists next to the repository. Tests that need it are skipped otherwise. */
export const sharedDataPresent: boolean = existsSync(`${root}transcripts`);

function filesIn(folder: string, extension: string): readonly string[] {
  if (!sharedDataPresent) return [];
  return readdirSync(root + folder).filter((name) => name.endsWith(extension) && name !== 'INDEX.json');
}

/** Returns every sixth file, or all files in deep test runs. */
export function someTranscripts(start: number): (readonly [name: string, messages: Message[]])[] {
  const step = process.env.PALIMPSEST_DEEP ? 1 : 6;
  const names = filesIn('transcripts', '.json').filter((_, at) => (at + start) % step === 0);
  return names.map((name) => [
    name,
    (JSON.parse(readFileSync(`${root}transcripts/${name}`, 'utf8')) as { messages: Message[] }).messages,
  ]);
}

export function readAnthropic(): (readonly [name: string, conversation: AnthropicConversation])[] {
  return filesIn('anthropic', '.json').map((name) => [
    name,
    JSON.parse(readFileSync(`${root}anthropic/${name}`, 'utf8')) as AnthropicConversation,
  ]);
}

export function readShareGpt(): (readonly [name: string, rows: unknown[]])[] {
  return filesIn('sharegpt', '.jsonl').map((name) => [
    name,
    readFileSync(`${root}sharegpt/${name}`, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown),
  ]);
}
