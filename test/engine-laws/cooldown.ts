import type { ContextEngine, EngineHost, Message } from '@palimpsest/core';
import {
  assistant,
  autonomousWork,
  chat,
  createScriptedSummarizer,
  promptTokens,
  testHost,
  user,
} from '@palimpsest/testkit';
import { expect, it } from 'vitest';

/** What must hold for every engine while its summarizer has failed and may not be called. */
export function cooldownLaws(makeEngine: (host: EngineHost) => ContextEngine): void {
  it('rules write during a cooldown where pruning would only help for a moment', async () => {
    const engine = makeEngine(testHost({ summarizer: createScriptedSummarizer({ failure: 'status', status: 503 }) }));
    // The threshold is near the end of the window, so pruning to just below it leaves no room for work.
    await engine.updateModel({ id: 'm', contextLength: 20_000 });
    await engine.compress(chat(60), { force: true });
    expect(engine.status().cooldownUntil).not.toBeNull();
    let messages: Message[] = chat(1);
    const passes: (string | null)[] = [];
    for (let round = 0; round < 160; round++) {
      const talk = [user(`Part ${round}: ${'so '.repeat(150)}`), assistant(`Noted. ${'so '.repeat(150)}`)];
      messages = [...messages, ...talk, ...autonomousWork(1, 2_000).slice(2)];
      if (engine.explain(promptTokens(messages)).effort !== 'free') continue;
      const { messages: output, report, outcome } = await engine.compress(messages, { effort: 'free' });
      if (outcome !== 'unchanged') passes.push(report.summarizedBy);
      messages = output as Message[];
    }
    expect(passes.length).toBeGreaterThan(3);
    // A pass that only prunes leaves room for work, so rules write the handoff of the next one.
    passes.forEach((by, at) => {
      if (at > 0 && by === null) expect(passes[at - 1]).not.toBeNull();
    });
  });
}
