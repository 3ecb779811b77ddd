import { type Message, readHandoff } from '@palimpsest/core';
import { assistant, call, createScriptedSummarizer, result, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { compressorOn, filler, makeSession } from '../make-session.ts';

const pages = 10;
/** Number of the first task: no number is the beginning of another. */
const first = 101;
const rule = (task: number): string => `Never edit legacy-${task}.ts.`;
const request = (task: number): string => `Task ${task}: look at the files of part ${task}. ${rule(task)}`;
const answer = (task: number): string => `Part ${task} is understood, and nothing in it has to change.`;
const command = (task: number): string => `pnpm vitest run part-${task}`;

/** A task: what the user wants, some work, and the answer. */
function turns(task: number): Message[] {
  const work = Array.from({ length: 40 }, (_, at) => `call_${task}_${at}`).flatMap((id, at) => [
    // Words, which are not pruned.
    assistant(
      filler(500, task * 10 + at),
      call(id, 'bash', { command: at === 0 ? command(task) : `cat part-${task}/file-${at}.ts` }),
    ),
    result(id, 'Done.'),
  ]);
  return [user(request(task)), ...work, assistant(answer(task))];
}

const count = (text: string, wanted: string): number => text.split(wanted).length - 1;

describe(`${pages} pages in a row`, () => {
  // A thin page is filled up with the words and the work of the agent, a thick one is not.
  it.each([
    ['thin', 1],
    ['thick', 60],
  ])('that are %s are revised, and have what the user said, once', async (_, sentences) => {
    const page = (number: number): string =>
      `## Goal\nPage ${number}: the parts are read.\n\n## Key Decisions\n${Array.from({ length: sentences }, (__, at) => `- Decision ${at} of page ${number} is to leave the parts as they are.`).join('\n')}`;
    let written = 0;
    const summarizer = createScriptedSummarizer(() => page(++written));
    const { clock, session } = makeSession({
      window: 64_000,
      engine: (host) => compressorOn(host, summarizer, { minimumThreshold: 0, threshold: 0.2 }),
    });
    const history: Message[] = [];
    const sizes: number[] = [];
    for (let task = first; sizes.length < pages && task < first + 100; task++) {
      clock.advance(60_000);
      history.push(...turns(task));
      const prepared = await session.beforeRequest(history);
      const { messages, info } = prepared;
      session.afterResponse({ prompt_tokens: info.tokens, completion_tokens: 10 }, prepared);
      // Some only prune.
      if (!info.compactions.some(({ modelCalls }) => modelCalls > 0)) continue;
      const [body, ...others] = messages.flatMap((message) => readHandoff(message as Message)?.body ?? []);
      expect(others).toEqual([]);
      sizes.push(info.tokens);
      // Of the model's words, only those of this page.
      expect([...new Set(body!.match(/[Pp]age \d+/g))]).toHaveLength(2);
      expect(count(body!, `Page ${written}:`)).toBe(1);
      const all = JSON.stringify(messages);
      for (let one = first; one <= task; one++) {
        expect(count(all, request(one))).toBeGreaterThan(0);
        expect(count(body!, `. ${request(one)}`)).toBeLessThanOrEqual(1);
        expect(count(body!, `- ${rule(one)}`)).toBeLessThanOrEqual(1);
        expect(count(all, rule(one))).toBeGreaterThan(0);
        expect(count(body!, answer(one))).toBeLessThanOrEqual(1);
        expect(count(body!, `\n- bash ${command(one)}`)).toBeLessThanOrEqual(1);
      }
    }
    expect(written).toBe(pages);
    // From page to page, the handoff has only the new messages of the user more.
    expect(Math.max(...sizes.slice(5))).toBeLessThan(Math.max(...sizes.slice(0, 5)) * 1.25);
    summarizer.calls.forEach(({ prompt }, at) => {
      expect(prompt.includes(`Page ${at}: the parts are read.`)).toBe(at > 0);
      expect(prompt.includes('Do not append')).toBe(at > 0);
    });
  });
});
