import type { Message } from '@palimpsest/core';
import { attempt, compactAgain, freshEngine, hostFor } from '../attempt.ts';
import { type CaseDefinition, ensure } from '../case-definition.ts';
import { arbitraryScenario } from '../scenario.ts';
import { user } from '../transcripts/message-builders.ts';
import { plainExamples } from '../transcripts/transcript-examples.ts';

export const snapshotRestores: CaseDefinition = {
  name: 'a snapshot survives JSON, and an engine restored from it behaves the same',
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const tried = await attempt(create, scenario, hostParts);
    if (!tried.result) return;
    const snapshot = tried.engine.snapshot();
    const written = JSON.stringify(snapshot);
    const host = hostFor(scenario, hostParts);
    const restored = await freshEngine(create, host, scenario);
    await restored.restore(JSON.parse(written));
    ensure(JSON.stringify(restored.snapshot()) === written, () => 'the restored engine has a different snapshot');
    ensure(
      !host.events.some(({ type }) => type === 'snapshot-discarded'),
      () => 'the engine discards its own snapshot',
    );
    const later = [...tried.result.messages, user('Now the next module.')];
    const next = { ...scenario, messages: later as Message[] };
    const here = await compactAgain(tried.engine, tried.host, next);
    const there = await compactAgain(restored, host, next);
    ensure(
      JSON.stringify(here.result?.edits) === JSON.stringify(there.result?.edits),
      () => 'on the next call, the restored engine makes a different plan',
    );
    restored.onSessionReset();
    const fresh = await freshEngine(create, host, scenario);
    ensure(
      JSON.stringify(restored.snapshot()) === JSON.stringify(fresh.snapshot()),
      () => 'a session reset leaves state from the old session',
    );
  },
};
