import type { SummaryTemplate } from '@palimpsest/core';
import { autonomousWork, createScriptedSummarizer, writeShortSummary } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { compactionTemplate, handoffTemplate } from '../src/index.ts';
import { bodyOf, write } from './writing.ts';

const messages = autonomousWork(40);
const filled = (template: SummaryTemplate, body: string): string =>
  template.sections.map(({ heading }) => `## ${heading}\n${body}`).join('\n\n');

describe.each([handoffTemplate, compactionTemplate])('a summary by the template $name', (template) => {
  it.each([
    ...[
      'None.',
      '-',
      'N/A',
      'none',
      '* None',
      '(none)',
      '_None._',
      '…',
      '- n/a\n- N/A',
      '**Nothing to report.**',
      'Unknown',
    ],
    ...['Keine.', 'k. A.', 'Aucun.', 'なし', '无。', 'Нет.', ''],
  ])('is rejected if every section says "%s"', async (nothing) => {
    const summarizer = createScriptedSummarizer(filled(template, nothing));
    const result = await write(messages, { summarizer, template });
    expect(result).toMatchObject({ kind: 'fallback', failure: { class: 'bad-output', cooldownMs: 30_000 } });
    if (result.kind === 'aborted') return;
    expect(result.body).toContain('No summary could be written');
    expect(result.body).toContain('Migrate every module');
  });

  it('is written by the main model if the auxiliary one writes nothing', async () => {
    const summarizer = createScriptedSummarizer(filled(template, 'None.'));
    const fallbackSummarizer = createScriptedSummarizer(writeShortSummary, { id: 'main' });
    const result = await write(messages, { summarizer, fallbackSummarizer, template });
    expect(result).toMatchObject({ kind: 'written', by: 'main', auxiliaryFailure: { class: 'bad-output' } });
  });

  it.each([
    ['as it is', (prompt: string) => prompt],
    ['without its turns', (prompt: string) => prompt.slice(0, prompt.indexOf('The turns:'))],
    ['from the sections on', (prompt: string) => prompt.slice(prompt.indexOf('## '))],
    ['with other line breaks', (prompt: string) => prompt.replace(/ /g, '\n')],
  ])('is rejected if it copies the prompt: %s', async (_name, copy) => {
    const summarizer = createScriptedSummarizer(({ prompt }) => copy(prompt));
    const result = await write(messages, { summarizer, template });
    expect(result).toMatchObject({ kind: 'fallback', failure: { class: 'bad-output' } });
  });

  it('may leave all but one section empty', async () => {
    const [first, ...others] = template.sections.toReversed();
    const text = `${others.map(({ heading }) => `## ${heading}\nNone.`).join('\n\n')}\n\n## ${first!.heading}\n- Port 7431 is taken.`;
    const result = await write(messages, { summarizer: createScriptedSummarizer(text), template });
    expect(result.kind).toBe('written');
  });
});

describe('reasoning in an answer', () => {
  const goal = '## Goal\nThe port 7431 is mended.';
  const steps = '## Next Steps\nRestart the server on port 7432.';
  const bodyFor = (text: string): Promise<string> =>
    bodyOf(write(messages, { summarizer: createScriptedSummarizer(text) }));

  it.each([
    ['in a block', `<think>Hm, secret thought.</think>\n${goal}\n\n${steps}`],
    [
      'in two blocks',
      `<THINKING>secret thought</THINKING>\n<scratchpad>\n## Goal\nthought\n</scratchpad>${goal}\n\n${steps}`,
    ],
    ['without an opening tag', `Hm, secret thought.\n## Goal\nthought\n</think>\n\n${goal}\n\n${steps}`],
    ['at the end of a line', `Hm, secret thought.</think>\n${goal}\n\n${steps}`],
  ])('is removed: %s', async (_, text) => {
    const body = await bodyFor(text);
    expect(body).toContain('port 7431 is mended');
    expect(body).toContain('port 7432');
    expect(body).not.toContain('thought');
  });

  it.each([
    ['an opening tag', 'The parser stops at <thinking> in line 3.'],
    ['an opening tag at the start of a line', '<think> is not closed in line 3.'],
    ['a closing tag', 'All before </think> in line 3 was lost.'],
    ['a closing tag at the end of a line', 'Line 3 ends with </think>\nand was lost.'],
    ['a closing tag in a line of its own', '```\n</think>\n```'],
    ['a pair', 'What is between <think> and </think>\nis cut in line 3.'],
  ])('is not seen in a page about tags: %s', async (_, said) => {
    const body = await bodyFor(`${goal}\n\n## Key Decisions\n${said}\n\n${steps}`);
    for (const text of ['port 7431 is mended', said.split('\n').at(-1)!, 'port 7432']) expect(body).toContain(text);
  });

  it('that is not closed leaves no page', async () => {
    const summarizer = createScriptedSummarizer(`<think>A plan.\n${goal}\n\n${steps}`);
    expect(await write(messages, { summarizer })).toMatchObject({ failure: { class: 'bad-output' } });
  });
});

it('a summary with nothing but the open task is rejected', async () => {
  const text = filled(handoffTemplate, 'None.').replace('None.', 'Refactor the range parser.');
  expect(await write(messages, { summarizer: createScriptedSummarizer(text) })).toMatchObject({ kind: 'fallback' });
});

it('a summary loses NUL characters and lone surrogates, and keeps surrogate pairs', async () => {
  const text = filled(handoffTemplate, 'Port\0 7431 \ud83d\ude80 \ud83d is \ude80taken.');
  for (const offline of [true, false]) {
    const finishReason = 'stop' as const;
    const result = await write(messages, { summarizer: createScriptedSummarizer({ text, finishReason }, { offline }) });
    if (result.kind === 'aborted') throw new Error('aborted');
    expect(result.body).toContain('Port 7431 \u{1f680}  is taken.');
    expect(result.body).not.toContain('\0');
    expect(result.body).not.toMatch(/\p{Surrogate}/u);
  }
});
