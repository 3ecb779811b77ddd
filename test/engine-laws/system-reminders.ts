import {
  type ContextEngine,
  contentText,
  type EngineHost,
  isSystem,
  type Message,
  readHandoff,
} from '@palimpsest/core';
import {
  assistant,
  createScriptedSummarizer,
  promptTokens,
  system,
  testHost,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';

const prompt = system('You are a travel agent. Answer briefly.');
export const german = 'From now on answer in German, and never quote prices in dollars.';

/** The host's instructions in one turn: a few hundred tokens. */
const reminder = (turn: number): string =>
  `Turn ${turn}. ${Array.from({ length: 30 }, (_, row) => `Offer ${turn * 30 + row} costs ${(turn * 17 + row) % 900} francs.`).join(' ')}`;

/** One turn of a chat with a system message from the host. */
export function remindedTurn(turn: number): Message[] {
  const said = turn === 3 ? [{ role: 'developer', content: german } as const] : [];
  return [
    user(`Question ${turn}: which offer is the cheapest now?`),
    { role: turn % 2 === 0 ? 'system' : 'developer', content: reminder(turn) },
    ...said,
    assistant(`Offer ${turn * 30} is the cheapest.`),
  ];
}

/**
 * Of the system messages of a host that sends a new one in every turn, the newest stay whole. Older ones are summarized:
 *  verbatim where they are short.
 */
export function reminderLaws(makeEngine: (host: EngineHost) => ContextEngine): void {
  describe('system messages in every turn', () => {
    for (const [name, summarizer] of [
      ['a model writes', createScriptedSummarizer(writeShortSummary)],
      ['rules write', null],
    ] as const)
      it(`are summarized when they are old, where ${name}`, async () => {
        const engine = makeEngine(testHost({ summarizer }));
        await engine.updateModel({ id: 'm', contextLength: 16_000 });
        let messages: Message[] = [prompt];
        let compactions = 0;
        for (let turn = 0; turn < 200; turn++) {
          messages = [...messages, ...remindedTurn(turn)];
          if (engine.shouldCompress(promptTokens(messages))) {
            const { messages: output, outcome, report } = await engine.compress(messages);
            expect(outcome).toBe('compacted');
            expect(report.tokensAfter).toBeLessThan(report.tokensBefore * 0.8);
            messages = JSON.parse(JSON.stringify(output)) as Message[];
            compactions++;
          }
          expect(messages[0]).toEqual(prompt);
          expect(promptTokens(messages)).toBeLessThan(16_000);
        }
        expect(compactions).toBeGreaterThan(3);
        expect(compactions).toBeLessThan(30);
        const handoffs = messages.flatMap((message) => readHandoff(message) ?? []);
        expect(handoffs).toHaveLength(1);
        // An old instruction of the host is kept, as the host's and not as the user's.
        const { body } = handoffs[0]!;
        const systems = messages.filter(isSystem).map(({ content }) => contentText(content));
        const listed = body.split('\n').filter((line) => line.includes('answer in German'));
        expect(systems.includes(german) ? [] : listed).toEqual(
          systems.includes(german) ? listed : [`- Instructed by the host: ${german}`],
        );
        for (const turn of [197, 198, 199]) expect(systems).toContain(reminder(turn));
      });

    it('stay whole in their newest copy, and older copies go', async () => {
      const skills = (day: number): string =>
        [
          '# Environment',
          `Day ${day}`,
          ...Array.from({ length: 60 }, (_, row) => `Skill ${row}: does the work ${row}.`),
        ].join('\n');
      for (const summarizer of [createScriptedSummarizer(writeShortSummary), null]) {
        const engine = makeEngine(testHost({ summarizer }));
        await engine.updateModel({ id: 'm', contextLength: 16_000 });
        let messages: readonly Message[] = [prompt];
        for (let round = 0; round < 3; round++) {
          const work = Array.from({ length: 12 }, (_, turn): Message[] => [
            user(`Question ${turn}?`),
            assistant(`Answer ${round}.${turn}. ${'It is so for many reasons. '.repeat(60)}`),
          ]);
          messages = [...messages, ...work[0]!, system(skills(round)), system(german), ...work.slice(1).flat()];
          const result = await engine.compress(messages, { force: true, targetTokens: 4_000 });
          expect(result.outcome).toBe('compacted');
          messages = JSON.parse(JSON.stringify(result.messages)) as Message[];
          const systems = messages.filter(isSystem).map(({ content }) => contentText(content));
          expect(systems).toEqual([contentText(prompt.content), skills(round), german]);
        }
      }
    });

    it('leave the leading ones as the same objects', async () => {
      const lead: Message[] = [prompt, { role: 'developer', content: 'Use no tools.' }];
      const engine = makeEngine(testHost());
      await engine.updateModel({ id: 'm', contextLength: 8_000 });
      const messages = [...lead, ...Array.from({ length: 30 }, (_, turn) => remindedTurn(turn)).flat()];
      const { messages: output, outcome } = await engine.compress(messages, { force: true });
      expect(outcome).toBe('compacted');
      lead.forEach((message, at) => expect(output[at]).toBe(message));
      for (const message of output) if (isSystem(message as Message)) expect(messages).toContain(message);
    });
  });
}
