import { readFileSync, writeFileSync } from 'node:fs';
import { fingerprint } from '@palimpsest/core/authoring';
import { chooseSummarizer } from '@palimpsest/eval/engines/summarizer-choice';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { defaultSettings } from 'palimpsest/replay/engine-settings';
import { createReplayHost, replayEngine } from 'palimpsest/replay/replay-engine';
import { chooseWindow } from 'palimpsest/replay/window-choice';
import { createBuiltInEngines } from '../web/src/worker/built-in-engines.ts';
import { openSample } from '../web/src/worker/open-sample.ts';

/**
 * Lets a model write the pages that engines ask for in the samples, and adds them to the files:
 * `pnpm --filter @palimpsest/compare run pages openai:gpt-5 router-library`.
 */
const [model = '', ...names] = process.argv.slice(2);
const summarizer = chooseSummarizer(model);

async function recordPages(sample: Sample): Promise<object[]> {
  const windowTokens = chooseWindow(sample.promptTokens).tokens;
  const texts = new Map<string, string>();
  const recorder = {
    ...summarizer,
    async summarize(request: Parameters<typeof summarizer.summarize>[0]) {
      const of = fingerprint(request.material.messages);
      const text = texts.get(of) ?? (await summarizer.summarize(request)).text;
      texts.set(of, text);
      return { text };
    },
  };
  const engines = createBuiltInEngines({ ...defaultSettings, windowTokens });
  for (const engine of engines.names)
    await replayEngine(engines, engine, sample, {
      windowTokens,
      host: { ...createReplayHost(sample), summarizer: recorder },
    });
  return [...texts].map(([of, text]) => ({ of, text }));
}

for (const name of names) {
  const file = new URL(`../samples/${name}.json`, import.meta.url);
  // Pages are the last field, each on a line of its own, as messages are.
  const data = readFileSync(file, 'utf8').replace(/,\n {2}"pages": \[[\s\S]*$/, '\n}\n');
  const { sample } = await openSample({ name, data }, 0);
  const pages = (await recordPages(sample)).map((page) => `    ${JSON.stringify(page)}`);
  writeFileSync(file, `${data.slice(0, data.lastIndexOf('\n}'))},\n  "pages": [\n${pages.join(',\n')}\n  ]\n}\n`);
}
