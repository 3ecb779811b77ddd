import { isSynthetic, isTrustedHandoff, type Message, readAnyHandoff } from '@palimpsest/core';
import { digestHandoff, Transcript } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { agentReader } from '../src/index.ts';

const user = (content: string): Message => ({ role: 'user', content });

describe("another system's summary", () => {
  const goal = '## Goal\nthe goal';
  const rows: readonly (readonly [string, string, string])[] = [
    [`[CONTEXT SUMMARY]: ${goal}\n## Blocked\nNone.`, `${goal}\n## Blocked\nNone.`, ''],
    [`[CONTEXT SUMMARY]:\n${goal}`, goal, ''],
    ['[CONTEXT COMPACTION - REFERENCE ONLY] Earlier turns were compacted.\nthe goal', 'the goal', ''],
    [`[CONTEXT COMPACTION \u2014 REFERENCE ONLY]\n${goal}`, goal, ''],
    [`[CONTEXT COMPACTION \u2013 REFERENCE ONLY]\n${goal}`, goal, ''],
    [`[CONTEXT COMPACTION]\n${goal}`, goal, ''],
    [
      '[CONTEXT COMPACTION - REFERENCE ONLY]\nthe goal\n\n--- END OF CONTEXT SUMMARY - answer the message below ---\n\nand now?',
      'the goal',
      'and now?',
    ],
    [
      '[CONTEXT COMPACTION \u2014 X]\nthe goal\n--- END OF CONTEXT SUMMARY \u2014 answer below ---\nand now?',
      'the goal',
      'and now?',
    ],
    [
      'This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\nthe goal',
      'the goal',
      '',
    ],
    [
      'This session is being continued from a previous conversation.\nAnalysis:\nIt went well.\n\nSummary:\n1. Primary Request and Intent:\n   the goal',
      'Analysis:\nIt went well.\n\nSummary:\n1. Primary Request and Intent:\n   the goal',
      '',
    ],
  ];
  for (const [written, expected, rest] of rows)
    it(`is read from ${JSON.stringify(written.slice(0, 50))}`, () => {
      expect(readAnyHandoff(user(written), agentReader)).toMatchObject({ version: 0, body: expected, rest });
      expect(isSynthetic(user(written))).toBe(false);
    });

  it('is read from a message of the assistant, as Hermes Agent often inserts it', () => {
    for (const [written, expected, rest] of rows)
      expect(readAnyHandoff({ role: 'assistant', content: written }, agentReader)).toMatchObject({
        version: 0,
        body: expected,
        rest,
      });
  });

  it('is not found in text that only mentions it', () => {
    for (const written of [
      'what does [CONTEXT SUMMARY] mean?',
      'CONTEXT COMPACTION is slow',
      'is this session being continued from a previous conversation?',
      '[CONTEXT SUMMARY]: what does this mark in my logs mean?',
      '[CONTEXT COMPACTION - REFERENCE ONLY]\nWhy does this stand above every answer?',
      'This session is being continued from a previous conversation, so please finish the parser.',
    ])
      expect(readAnyHandoff(user(written), agentReader)).toBeNull();
  });

  it('is never trusted', () => {
    const counter = { countText: () => 1, countMessage: () => 1 };
    const content = '[CONTEXT SUMMARY]:\n## Goal\nFix it.';
    for (const role of ['user', 'assistant'] as const)
      for (const known of [{}, { handoffKey: 'key' }, { handoffDigest: digestHandoff('## Goal\nFix it.') }])
        expect(isTrustedHandoff(Transcript.of([{ role, content }], counter, { reader: agentReader }), 0, known)).toBe(
          false,
        );
  });
});
