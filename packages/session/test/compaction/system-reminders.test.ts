import { isSystem, type Message, readHandoff } from '@palimpsest/core';
import { system } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { german, remindedTurn } from '../../../../test/engine-laws/system-reminders.ts';
import { makeSession } from '../make-session.ts';
import { memoryStore } from '../persistence/memory-store.ts';

const prompt = system('You are a travel agent. Answer briefly.');

describe('a conversation with a message of the host in every turn', () => {
  it.each(['the history', 'the output'] as const)(
    'fits into its window for 200 turns, where the caller stores %s',
    async (stores) => {
      const { session, events } = makeSession({ window: 16_000 });
      let messages: Message[] = [prompt];
      let compactions = 0;
      for (let turn = 0; turn < 200; turn++) {
        messages = [...messages, ...remindedTurn(turn)];
        const made = await session.beforeRequest(messages);
        expect(made.info.tokens).toBeLessThan(16_000);
        expect(made.messages[0]).toBe(messages[0]);
        compactions += made.info.compactions.length;
        session.afterResponse({ prompt_tokens: made.info.tokens, completion_tokens: 20 }, made);
        if (stores === 'the output') messages = JSON.parse(JSON.stringify(made.messages)) as Message[];
      }
      expect(events.filter(({ type }) => type === 'compaction-failed')).toEqual([]);
      expect(compactions).toBeGreaterThan(3);
      expect(compactions).toBeLessThan(30);
      const sent = (await session.beforeRequest(messages)).messages;
      const bodies = sent.flatMap((message) => readHandoff(message as Message)?.body ?? []).join('\n');
      expect(bodies).toContain(`- Instructed by the host: ${german}`);
    },
  );

  it('is complete again after a restart without a key, and stays summarized with a signed store', async () => {
    const messages = [prompt, ...Array.from({ length: 60 }, (_, turn) => remindedTurn(turn)).flat()];
    for (const key of [undefined, 'a key of at least sixteen characters']) {
      const store = memoryStore();
      const first = makeSession({ window: 16_000, store, key });
      const sent = await first.session.beforeRequest(messages);
      expect(first.session.records()).toHaveLength(1);
      await first.session.end();
      const second = makeSession({ window: 1_000_000, store, key });
      const again = await second.session.beforeRequest(messages);
      const systems = (list: readonly unknown[]): number => (list as readonly Message[]).filter(isSystem).length;
      expect(systems(sent.messages)).toBeLessThan(systems(messages));
      expect(systems(again.messages)).toBe(key ? systems(sent.messages) : systems(messages));
    }
  });
});
