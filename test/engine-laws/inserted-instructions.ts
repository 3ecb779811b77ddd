import { type ContextEngine, contentText, type EngineHost, type Message } from '@palimpsest/core';
import {
  assistant,
  createScriptedSummarizer,
  system,
  testHost,
  text,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';

const lines = (count: number, day: number): string =>
  Array.from({ length: count }, (_, row) => `- Rule ${row}: module ${row} is built with step ${row * 7}.`)
    .concat(`- Written on day ${day}.`)
    .join('\n');

/** What each agent inserts into user messages before the first words of a person, as texts of parts, on a day. */
const agents = {
  Codex: (day: number, rules: number = 40) => [
    `# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>\n${lines(rules, day)}\n\n<environment_context> is explained below.\n</INSTRUCTIONS>`,
    '<environment_context>\n  <cwd>/work</cwd>\n  <shell>bash</shell>\n</environment_context>',
    `<skills_instructions>\n## Skills\n${lines(12, 0)}\n</skills_instructions>`,
  ],
  'Claude Code': (day: number, rules: number = 40) => [
    `<system-reminder>\nThe following skills are available for use with the Skill tool:\n\n${lines(12, 0)}\n</system-reminder>\n`,
    `<system-reminder>\nAs you answer the user's questions, you can use the following context:\n# claudeMd\nCodebase and user instructions are shown below.\n\n${lines(rules, day)}\n</system-reminder>\n`,
  ],
} as const;

const prompt = system('You are an agent.');
const allText = (messages: readonly Message[]): string =>
  messages.map(({ content }) => contentText(content)).join('\n');

function work(round: number): Message[] {
  return Array.from({ length: 12 }, (_, turn): Message[] => [
    user(`Question ${round}.${turn}?`),
    assistant(`Answer ${round}.${turn}. ${'It is so for many reasons. '.repeat(60)}`),
  ]).flat();
}

/** What a host inserts into user messages stays whole when these are summarized, in its newest copy, never as a user's words. */
export function insertedInstructionLaws(makeEngine: (host: EngineHost) => ContextEngine): void {
  describe.each(Object.entries(agents))('instructions in user messages of %s', (agent, insertedOn) => {
    describe.each([
      ['a model writes', createScriptedSummarizer(writeShortSummary)],
      ['rules write', null],
    ] as const)('where %s', (_name, summarizer) => {
      it('survive compactions whole and once', async () => {
        // Claude Code puts them into the message of the first question.
        const isTogether = agent === 'Claude Code';
        const host = testHost({ summarizer });
        const engine = makeEngine(host);
        await engine.updateModel({ id: 'm', contextLength: 16_000 });
        const inserted = insertedOn(1);
        const [first, ...rest] = work(0);
        const parts = inserted.map(text);
        let messages: readonly Message[] = [
          prompt,
          ...(isTogether ? [user([...parts, text(contentText(first!.content))])] : [user(parts), first!]),
          ...rest,
        ];
        for (let round = 1; round < 5; round++) {
          const result = await engine.compress(messages, { force: true, targetTokens: 4_500 });
          expect(result.outcome).toBe('compacted');
          const given = allText(result.messages);
          // A handoff by rules may quote one as well.
          const quoted = given.slice(Math.max(0, given.lastIndexOf('<harness-message>\n')));
          for (const one of inserted) expect(quoted.split(one)).toHaveLength(2);
          for (const message of result.messages) {
            const said = host.reader.separateSpeech(message).said;
            expect(contentText(said?.content)).not.toContain('Rule 3');
          }
          messages = [...(JSON.parse(JSON.stringify(result.messages)) as Message[]), ...work(round)];
        }
      });
    });

    it('are replaced by a newer version', async () => {
      const engine = makeEngine(testHost());
      await engine.updateModel({ id: 'm', contextLength: 16_000 });
      const [first, second] = [1, 2].map((day) => user(insertedOn(day).map(text)));
      const messages = [prompt, first!, ...work(0), second!, ...work(1)];
      const { messages: output } = await engine.compress(messages, { force: true, targetTokens: 4_500 });
      const given = allText(output);
      for (const one of insertedOn(2)) expect(given.split(one)).toHaveLength(2);
      expect(given).not.toContain('Written on day 1.');
    });

    it('take at most a quarter of the window', async () => {
      const engine = makeEngine(testHost());
      await engine.updateModel({ id: 'm', contextLength: 16_000 });
      const inserted = insertedOn(1, 400);
      const messages = [prompt, user(inserted.map(text)), ...work(0), ...work(1)];
      const { messages: output } = await engine.compress(messages, { force: true, targetTokens: 6_000 });
      expect(inserted.every((one) => allText(output).includes(one))).toBe(false);
    });
  });
}
