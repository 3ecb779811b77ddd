import { isSynthetic, isToolResult, type Message } from '@palimpsest/core';
import { arbitraryTranscript, assistant, call, quarterCounter, result, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dedupe, prune, stub, supersede } from '../src/index.ts';
import { readTranscript, sharedTranscripts } from './shared-transcripts.ts';

/** Prunes everything, and expects every rewritten result to be recognized as ours. */
function expectKnown(messages: readonly Message[]): void {
  const { messages: output } = prune(messages, {
    protect: { tokens: 0 },
    minimum: 0,
    keepTurns: 0,
    strategies: [dedupe, supersede, stub],
    tokens: quarterCounter,
  });
  output.forEach((message, at) => {
    if (!isToolResult(message) || message.content === messages[at]!.content) return;
    expect(isSynthetic(JSON.parse(JSON.stringify(message))), JSON.stringify(message)).toBe(true);
  });
}

describe('text written by the pruner', () => {
  it('is recognized as synthetic', () => {
    fc.assert(fc.property(arbitraryTranscript(), expectKnown));
  });

  it.skipIf(sharedTranscripts.length === 0)('on real transcripts, too (skipped without ../shared)', () => {
    for (const name of sharedTranscripts.filter((_, at) => at % 4 === 0)) expectKnown(readTranscript(name));
  });
});

it('a stub names the command whose output a call read, not the number of its program', () => {
  const running = (output: string): string =>
    `Wall time: 9 seconds\nProcess running with session ID 42\nOutput:\n${output}`;
  const messages = [
    user('Build it.'),
    assistant('', call('a', 'exec_command', { cmd: 'npm run build' })),
    result('a', running('started')),
    assistant('', call('b', 'write_stdin', { session_id: 42, chars: '', yield_time_ms: 1_000 })),
    result('b', running('compiling the next module of the importer\n'.repeat(200))),
    assistant('Done.'),
    user('Thanks.'),
  ];
  const { messages: output } = prune(messages, {
    protect: { tokens: 0 },
    minimum: 0,
    keepTurns: 0,
    strategies: [stub],
    tokens: quarterCounter,
  });
  expect(output[4]!.content).toMatch(/^\[write_stdin\] ran `npm run build` -> 200 lines output, removed/);
});
