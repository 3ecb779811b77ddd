import type { EngineHost } from '@palimpsest/core';
import { prependHandoff, writeHandoff } from '@palimpsest/core/authoring';
import { assistant, call, callsWithResults, chat, promptTokens, testHost, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { compactWith, currentTask, rounds, taskLaws, taskText } from '../../../test/engine-laws/current-task.ts';
import { makeEngine } from './make-engine.ts';

const make = (host: EngineHost) => makeEngine(host, { threshold: 0.5, minimumThreshold: 0 });

taskLaws(make, 0.3);

describe('the current task stays in the output', () => {
  it('with a long answer after it, for which the handoff leaves room', async () => {
    const answer = assistant(
      Array.from({ length: 90 }, (_, at) => `Renamed use ${at} in src/range/${at}.ts.`).join('\n'),
    );
    const page = (at: number): string =>
      Array.from({ length: 30 }, (_, line) => `use_${at}_${line} = parseRange(row_${line * at})`).join('\n');
    const reads = Array.from({ length: 60 }, (_, at) =>
      callsWithResults([call(`r${at}`, 'Read', { path: `${at}.ts` }), page(at)]),
    );
    const messages = [user(taskText), ...reads.flat(), answer];
    const targetTokens = promptTokens([answer]) * 3;
    const { messages: output, outcome } = await compactWith(make, messages, 0.5, { targetTokens });
    expect(outcome).toBe('compacted');
    expect(output.at(-1)).toBe(answer);
    expect(promptTokens(output)).toBeLessThanOrEqual(targetTokens);
  });

  it('after an earlier handoff, which is not part of the request and is rewritten', async () => {
    const rule = 'Never edit a file under vendor/.';
    const actions = Array.from(
      { length: 200 },
      (_, at) => `${at + 1}. READ src/range/${at}.ts - exports parseRange${at} [tool: Read]`,
    );
    const body = `## Active Task\n${taskText}\n\n## Constraints & Preferences\n- ${rule}\n\n## Completed Actions\n${actions.join('\n')}`;
    const messages = [user(prependHandoff(writeHandoff(body), taskText) as string), ...rounds(12)];
    const targetTokens = promptTokens(messages.slice(0, 1)) + 100;
    const engine = make(testHost({ dialect: 'strict', summarizer: null }));
    const { messages: output, report } = await engine.compress(messages, { force: true, targetTokens });
    expect(currentTask(output)).toEqual([taskText]);
    expect(report.overTargetTokens).toBe(0);
    expect(report.warnings.join()).not.toContain('has to be carried');
    expect(JSON.stringify(output)).toContain(rule);
  });

  it.each([0.05, 0.1, 0.3, 0.6])('with its answer, which stays, too, at a target of %f of the size', async (share) => {
    const answer = assistant(`Renamed it to parseRange. ${'Its tests pass. '.repeat(20)}`);
    const messages = [...chat(60), user(taskText), ...rounds(12), answer];
    const targetTokens = Math.round(promptTokens(messages) * share);
    const { messages: output, outcome } = await compactWith(make, messages, 0.5, { targetTokens });
    expect(outcome).toBe('compacted');
    expect(currentTask(output)).toEqual([taskText]);
    expect(output.at(-1)).toBe(answer);
    expect(promptTokens(output)).toBeLessThanOrEqual(targetTokens);
  });
});
