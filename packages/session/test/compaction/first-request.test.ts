import type { EngineHost, Message } from '@palimpsest/core';
import { autonomousWork, chat, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { createSession } from '../../src/create-session.ts';
import { compressorOn, pruneCompactOn } from '../make-session.ts';

const engines = {
  compressor: (host: EngineHost) => compressorOn(host, undefined),
  'prune-compact': (host: EngineHost) => pruneCompactOn(host, host.summarizer),
};

const histories: [string, Message[]][] = [
  ['a chat', chat(51, 1_000)],
  ['a chat with a new question', [...chat(51, 2_500), user('What next?')]],
  ['long work', autonomousWork(100, 700)],
];

/** The contents, without the signature of each session. */
function unsigned(messages: readonly Message[]): unknown[] {
  return messages.map(({ content }) =>
    JSON.stringify(content ?? null).replace(/(HANDOFF v\d+ \S+) [\da-f]{24}:/, '$1:'),
  );
}

describe.each(Object.entries(engines))(
  'a history over the window at its first request, with %s by rules',
  (_, engine) => {
    it.each(histories)('is compacted as compact() does it: %s', async (_name, history) => {
      const open = () => createSession({ engine, model: { id: 'm', contextLength: 16_000 } });
      const first = await open().beforeRequest(history);
      const other = open();
      await other.compact({ messages: history });
      const compacted = await other.beforeRequest(history);
      expect(unsigned(first.messages)).toEqual(unsigned(compacted.messages));
      expect(first.messages.length).toBeGreaterThan(5);
    });
  },
);
