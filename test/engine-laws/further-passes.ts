import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { agentReader } from '@palimpsest/agents';
import { type ContextEngine, type EngineHost, type Message, readHandoff } from '@palimpsest/core';
import { laterInstructions, Transcript, writeHandoff } from '@palimpsest/core/authoring';
import {
  autonomousWork,
  chat,
  createScriptedSummarizer,
  promptTokens,
  quarterCounter,
  testHost,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { currentTask, rounds, taskText } from './current-task.ts';

const folder = new URL('../../../shared/transcripts/', import.meta.url);
const present = existsSync(folder);
/** Every third transcript, and all of them in a deep run. */
const sample = process.env.PALIMPSEST_DEEP ? 1 : 3;

/** Tokens that no pass can remove: system messages, the request, the pending tool calls, and an empty handoff. */
function leastTokens(messages: readonly Message[]): number {
  const transcript = Transcript.of(messages, quarterCounter, { reader: agentReader });
  const { pendingCalls } = transcript;
  const pending = pendingCalls ? transcript.tokensBetween(pendingCalls.from, pendingCalls.to) : 0;
  const { keptTokens } = laterInstructions(transcript);
  return transcript.fixedTokens + keptTokens + pending + quarterCounter.countText(writeHandoff(''));
}

/** Compacts to smaller and smaller shares. @returns passes that missed their target although more could be removed */
async function missed(engine: ContextEngine, start: readonly Message[], room: number): Promise<string[]> {
  const total = promptTokens(start);
  await engine.updateModel({ id: 'm', contextLength: Math.round(total * 0.9) });
  const found: string[] = [];
  let messages = start;
  for (const share of [0.4, 0.2, 0.1, 0.05]) {
    const targetTokens = Math.round(total * share);
    const { messages: output, outcome, report } = await engine.compress(messages, { force: true, targetTokens });
    messages = output as readonly Message[];
    const could = leastTokens(messages) + room;
    if (report.tokensAfter > Math.max(targetTokens, could) && outcome === 'unchanged')
      found.push(`${share}: ${report.tokensAfter} tokens for ${targetTokens}, ${could} possible: ${report.reason}`);
  }
  return found;
}

/**
 * A further pass at a lower target removes what it still can, including the previous handoff.
 * @param room tokens that the smallest handoff may have besides its frame: rules, paths, headings
 */
export function furtherPassLaws(makeEngine: (host: EngineHost) => ContextEngine, room: number): void {
  const shapes: [string, Message[]][] = [
    ['a chat', [...chat(60, 2_000), user(taskText)]],
    ['long work on one request', [...chat(2), user(taskText), ...rounds(40)]],
    ['work on one prompt', autonomousWork(60)],
  ];
  describe('a further pass at a lower target', () => {
    for (const model of [true, false]) {
      const engineOn = () =>
        makeEngine(testHost({ summarizer: model ? createScriptedSummarizer(writeShortSummary) : null }));
      const by = model ? 'a model' : 'rules';

      it.each(shapes)(`removes what it can from %s, summarized by ${by}`, async (_name, messages) => {
        expect(await missed(engineOn(), messages, room)).toEqual([]);
      });

      it.skipIf(!present)(
        `removes what it can from real transcripts, summarized by ${by}`,
        async () => {
          const found: string[] = [];
          const names = readdirSync(folder).filter((one) => one.endsWith('.json') && one !== 'INDEX.json');
          for (const name of names.filter((_, at) => at % sample === 0)) {
            const { messages } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as { messages: Message[] };
            const left = await missed(engineOn(), messages, room);
            found.push(...left.map((one) => `${name} ${one}`));
          }
          expect(found).toEqual([]);
        },
        600_000,
      );
    }

    it('rewrites an earlier handoff without a model, and keeps the request', async () => {
      const summarizer = createScriptedSummarizer(writeShortSummary);
      const engine = makeEngine(testHost({ summarizer }));
      await engine.updateModel({ id: 'm', contextLength: 40_000 });
      const actions = Array.from(
        { length: 300 },
        (_, at) => `${at + 1}. READ src/range/${at}.ts - exports parse${at} [tool: Read]`,
      );
      const body = `## Goal\nRename the parser.\n\n## Completed Actions\n${actions.join('\n')}\n\n## Accomplished\n${actions.join('\n')}`;
      const messages = [user(`${writeHandoff(body)}\n\n${taskText}`)];
      const targetTokens = Math.round(promptTokens(messages) / 4);
      const { messages: output, outcome, report } = await engine.compress(messages, { force: true, targetTokens });
      expect(outcome).toBe('compacted');
      expect(report).toMatchObject({ modelCalls: 0, overTargetTokens: 0 });
      expect(currentTask(output)).toEqual([taskText]);
      expect(readHandoff(output[0] as Message)?.body).toContain('parse299');
    });
  });
}
