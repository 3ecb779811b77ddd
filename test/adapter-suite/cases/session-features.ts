import { expect } from 'vitest';
import type { AdapterCase } from '../adapter-case.ts';
import { reader } from '../scripts.ts';
import { messagesOf, suiteSession } from '../suite-agent.ts';

/** What a session offers in addition to its compactions. */
export const sessionFeatures: readonly AdapterCase[] = [
  {
    feature: 'recall',
    name: 'lets the model search what was compacted earlier in the same turn',
    async run({ server, start }) {
      const agent = await start(suiteSession({ window: 8_000, recall: true }), { recall: true });
      const script = reader(20);
      let hidden = '';
      server.play((request, number) => {
        if (number < 20) return script(request, number);
        if (number > 20) return { kind: 'answer', text: 'Found.' };
        hidden = longestLine(agent.results[0]!);
        const call = { id: 'call_recall', name: 'recall', arguments: JSON.stringify({ query: hidden }) };
        return { kind: 'answer', text: '', calls: [call] };
      });
      expect((await agent.ask('Read the sources.')).text).toBe('Found.');
      expect(agent.session.records().length).toBeGreaterThan(0);
      expect(server.received[20]!.text).not.toContain(agent.results[0]);
      const answer = messagesOf(server.received[21]!).at(-1);
      expect(answer).toContain('Quoted from what is hidden.');
      expect(answer).toContain(JSON.stringify(hidden).slice(1, -1));
    },
  },
  {
    feature: 'undo',
    name: 'sends the original conversation again',
    async run({ server, start }) {
      server.play(reader(8));
      const agent = await start(suiteSession());
      await agent.ask('Read the sources.');
      const original = messagesOf(server.received.at(-1)!);
      await agent.session.compact();
      await agent.ask('Go on.');
      expect(server.received.at(-1)!.text).not.toContain(agent.results[0]);
      expect(await agent.session.undo()).toBe(1);
      server.play(reader(0));
      await agent.ask('Go on.');
      expect(messagesOf(server.received[0]!).slice(0, original.length)).toEqual(original);
    },
  },
  {
    feature: 'resume',
    name: 'continues a stored conversation with the same bytes',
    async run({ server, start }) {
      const store = new Map<string, string>();
      server.play(reader(20));
      const first = await start(suiteSession({ window: 8_000, store }));
      await first.ask('Read the sources.');
      expect(first.session.records().length).toBeGreaterThan(0);
      const sent = messagesOf(server.received.at(-1)!);
      await first.close();
      const history = await first.history();
      server.play(reader(0));
      const second = await start(suiteSession({ window: 8_000, store }), { history });
      await second.ask('And now?');
      expect(server.received[0]!.text).not.toContain(first.results[0]);
      expect(messagesOf(server.received[0]!).slice(0, sent.length)).toEqual(sent);
      expect((await second.history()).slice(0, history.length)).toEqual(history);
    },
  },
];

/** The longest line of a tool result, without its number. */
function longestLine(result: string): string {
  const lines = result.split('\n').map((line) => line.replace(/^\d+\t/, '').trim());
  return lines.reduce((longest, line) => (line.length > longest.length ? line : longest));
}
