import type { Message } from '@palimpsest/core';
import {
  assistant,
  chat,
  createScriptedSummarizer,
  manualClock,
  testHost,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { makeEngine } from './make-engine.ts';

/** The messages a user sees during a session. Read all of them when the snapshot changes. */
it('reports tell a user why the engine did or did not compact, what it cost and what was lost', async () => {
  const clock = manualClock();
  const overloaded = { failure: 'status', status: 503 } as const;
  const refused = { failure: 'status', status: 401 } as const;
  const summarizer = createScriptedSummarizer([writeShortSummary, overloaded, refused], { id: 'small' });
  const host = testHost({ clock, summarizer });
  const engine = makeEngine(host, { threshold: 0.5, minimumThreshold: 0 });
  const reports: string[] = [];
  const add = (situation: string, message: string): void => {
    reports.push(`${situation}: ${message}`);
  };
  add('before a model', engine.explain(9_000).message);
  await engine.updateModel({ id: 'm', contextLength: 20_000 });
  add('below', engine.explain(9_000).message);
  add('over', engine.explain(12_345).message);
  const first = await engine.compress(chat(40));
  add('compacted', first.report.message);
  add('status', engine.status().message);
  add('again', (await engine.compress(first.messages)).report.message);
  const grown = [...first.messages, ...chat(40).slice(1)] as Message[];
  const second = await engine.compress(grown, { targetTokens: 2_000 });
  add('degraded', second.report.message);
  add('cooling down', engine.explain(12_345).message);
  const third = await engine.compress([...second.messages, ...chat(40).slice(1)] as Message[], { force: true });
  add('aborted', third.report.message);
  clock.advance(3_600_000);
  const dense = [user('x '.repeat(30_000)), assistant('Yes.'), user('And?')];
  for (let pass = 0; pass < 2; pass++)
    add('dense', (await engine.compress([...dense], { currentTokens: 15_000 })).report.message);
  add('blocked', engine.explain(12_345).message);
  expect(reports.join('\n')).toMatchInlineSnapshot(`
    "before a model: The window of the model is not known, so nothing is compacted. Call updateModel with its contextLength.
    below: The prompt holds 9,000 tokens, the threshold is 10,000.
    over: The prompt holds 12,345 tokens, the threshold is 10,000.
    compacted: The middle of the transcript was replaced by a handoff. The prompt went from 43,070 to 2,296 tokens (95 % less). Of 161 messages, 4 stayed unchanged, 156 summarized, 1 carried verbatim. The summary of 1,068 tokens was written by small. It took 1 model call.
    status: The prompt holds 2,296 tokens, the threshold is 10,000.
    again: Nothing has been added since the last compaction. No model was called.
    degraded: No model could write a summary, so rules wrote the handoff. The prompt went from 45,356 to 1,966 tokens (96 % less). Of 165 messages, 2 stayed unchanged, 1 carried verbatim. 162 messages were dropped without a summary. It took 1 model call. The summarizer is overloaded or too slow (status 503).
    cooling down: The prompt holds 12,345 tokens, the threshold is 10,000, but the summarizer failed (transient); automatic model calls wait 60 s. Until then old output is pruned, and rules write the handoff where that is not enough.
    aborted: No model could write a summary, so rules wrote the handoff. The prompt went from 45,026 to 3,187 tokens (93 % less). Of 163 messages, 4 stayed unchanged, 1 carried verbatim. 158 messages were dropped without a summary. It took 1 model call. The summarizer refused access: check its key, its permissions and its quota (status 401).
    dense: Everything since the last compaction lies in the protected head and tail. No model was called.
    dense: Everything since the last compaction lies in the protected head and tail. No model was called.
    blocked: The prompt holds 12,345 tokens, the threshold is 10,000, but what is left must stay: the session is near its limit. Start a new session, or give a focus topic. The next attempt is in 300 s."
  `);
});
