import { agentReader } from '@palimpsest/agents';
import { apply, type Message, readHandoff, type Summarizer } from '@palimpsest/core';
import { Draft, Transcript } from '@palimpsest/core/authoring';
import { assistant, call, quarterCounter, result, scriptedSummarizer, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { condense, handoffTemplate, parseSummary, rehydrate } from '../src/index.ts';
import { hostFor, recordOf } from './writing.ts';

const rounds = 5;
const budgetTokens = 2_400;

/** The messages of round `number`: a user's request, some work, a decision. */
function roundOf(number: number): Message[] {
  const noise = `checked ${number}: the table was read before the run and nothing in it had changed since\n`.repeat(50);
  const work = Array.from({ length: 8 }, (_, step) => [
    assistant(
      `Step ${step} of part ${number}.`,
      call(`c${number}-${step}`, 'bash', { command: `make part-${number}-${step}` }),
    ),
    result(`c${number}-${step}`, `built target part-${number}-${step}\n${noise}`),
  ]).flat();
  return [
    user(
      number === 1
        ? 'Build part 1 of the tool in lib/origin-7741.ts. Never change the file vendor/frozen.lock.'
        : `Now build part ${number}.`,
    ),
    ...(number === 1
      ? [
          assistant(
            'I decided to keep the index in SQLite instead of JSON because lookups must stay under 40 ms.',
            call('first', 'write_file', { path: 'lib/origin-7741.ts', content: 'export const origin = 7741;' }),
          ),
          result('first', 'wrote 1 line'),
        ]
      : []),
    ...work,
  ];
}

/** A careless model: it summarizes only the newest turns and counts from one again. */
const careless = (): Summarizer =>
  scriptedSummarizer(({ prompt }) => {
    const targets = [
      ...new Set(
        [...prompt.slice(prompt.lastIndexOf('The turns:')).matchAll(/make (part-\d-\d)/g)].map((found) => found[1]),
      ),
    ];
    return recordOf({
      'Active Task': 'Building the next part.',
      'Completed Actions': targets.map((target, at) => `${at + 1}. MADE ${target} - built [tool: bash]`).join('\n'),
      ...(prompt.includes('lib/origin-7741.ts') && !prompt.includes('The record so far')
        ? {
            'Key Decisions': '- The index is kept in SQLite instead of JSON because lookups must stay under 40 ms',
            'Relevant Files': '- lib/origin-7741.ts - the origin',
          }
        : {}),
    });
  });

describe.each([
  ['rules', undefined],
  ['a careless model', careless],
] as const)('five compactions in a row by %s', (_, summarizer) => {
  it('keep the facts of the first, the numbering and the budget, and never summarize a handoff', async () => {
    let messages: Message[] = [];
    const writer = summarizer?.();
    const host = hostFor({ summarizer: writer });
    const numbers: Map<number, string>[] = [];
    for (let round = 1; round <= rounds; round++) {
      messages = [...messages, ...roundOf(round)];
      const transcript = Transcript.of(messages, quarterCounter, { reader: agentReader });
      const draft = new Draft(transcript);
      const condensed = await condense(
        {
          draft,
          groups: [0, transcript.groups.length - 1],
          engine: 'test',
          previousSummary: rehydrate(transcript).previousSummary,
          budgetTokens,
          effort: 'full',
          abortOnFailure: false,
          closing: 'Go on if there is more to do.',
        },
        host,
      );
      if (condensed.kind !== 'written') throw new Error(condensed.kind);
      messages = [...apply(messages, draft.edits(), transcript.groups).messages] as Message[];
      expect(condensed.notes.summaryTokens).toBeLessThanOrEqual(budgetTokens);
      const handoffs = messages.filter((message) => readHandoff(message));
      expect(handoffs).toHaveLength(1);
      const { body } = readHandoff(handoffs[0]!)!;
      expect(body.match(/Go on if there is more/g)).toHaveLength(1);
      expect(body).not.toContain('CONTEXT HANDOFF');
      const parsed = parseSummary(body, handoffTemplate);
      expect(parsed).toMatchObject({ missing: [], repeated: [] });

      expect(body).toContain('lib/origin-7741.ts');
      expect(body).toMatch(/SQLite instead of JSON because lookups must stay under 40 ms/);
      // The request of the first round stays in the transcript with its rule, so rules do not list it as well.
      if (round === 1 && !writer) {
        expect(parsed.sections[2]).toBe('The request after this summary states rules.');
        expect(readHandoff(handoffs[0]!)!.rest).toContain('Never change the file vendor/frozen.lock.');
      } else expect(parsed.sections[2]).toBe('- Never change the file vendor/frozen.lock.');
      expect(parsed.sections[0]).toContain(round === 1 ? 'Build part 1' : `Now build part ${round}.`);
      const actions = new Map(
        [...parsed.sections[4]!.matchAll(/^(\d+)\. ([^\n]*)$/gm)].map(
          (found) => [Number(found[1]), found[2]!] as const,
        ),
      );
      expect([...actions.keys()]).toEqual([...actions.keys()].sort((a, b) => a - b));
      for (const [number, text] of numbers.at(-1) ?? [])
        if (actions.has(number)) expect(actions.get(number)).toBe(text);
      const before = Math.max(0, ...(numbers.at(-1)?.keys() ?? []));
      expect(Math.max(...actions.keys())).toBeGreaterThan(before);
      numbers.push(actions);
    }
    if (writer)
      for (const { prompt } of (writer as ReturnType<typeof scriptedSummarizer>).calls)
        expect(prompt).not.toContain('[CONTEXT HANDOFF');
  });
});
