import type { Message } from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import { assistant, call, result, user } from '@palimpsest/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Behaviour, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { writeSummary } from '../../src/write-summary.ts';
import { inputFor, recordText, setting, summarizerOn, wires } from './summarizer-setup.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

/** A token that looks real. It is assembled at run time, so that no scanner reports this file. */
const letters = 'Qz7Lr2Vw9Kp4Tx8Nb3Hc6Ym1Dj5Gf0SaEuWi';
let turn = 0;
const secret = (): string => {
  turn += 1;
  const body = letters.slice(turn) + letters.slice(0, turn);
  return ['gh', 'p_', body.slice(0, 36)].join('');
};

const planted = {
  userText: secret(),
  userName: secret(),
  agentText: secret(),
  toolName: secret(),
  toolArguments: secret(),
  nestedArguments: secret(),
  customInput: secret(),
  toolResult: secret(),
  partText: secret(),
  reasoning: secret(),
  previousSummary: secret(),
  focusTopic: secret(),
  memory: secret(),
  pinned: secret(),
  fromModel: secret(),
  fromProvider: secret(),
};

const messages: Message[] = [
  user(`Deploy with ${planted.userText}. Always use the token ${planted.userText} for it.`, planted.userName),
  {
    ...assistant(
      `I decided to use ${planted.agentText} because it works.`,
      call('c1', planted.toolName, {
        token: planted.toolArguments,
        deep: { env: `T=${planted.nestedArguments}` },
      }),
      { id: 'c2', type: 'custom', custom: { name: 'shell', input: `export T=${planted.customInput}\necho $T` } },
    ),
    reasoning_content: `The token is ${planted.reasoning}.`,
  },
  result('c1', `Error: the token ${planted.toolResult} was refused\nsrc/deploy.ts:12 failed`),
  result('c2', [{ type: 'text', text: `T is ${planted.partText}` } as { type: string }]),
  user(`This stays: ${planted.pinned}`),
  assistant('Let me look further.'),
];

async function summarize(wire: (typeof wires)[number], behaviour: Behaviour, abortOnFailure = false) {
  server.play(() => behaviour);
  const { host, events } = setting({
    summarizer: summarizerOn(server, wire, 'aux'),
    fallbackSummarizer: summarizerOn(server, wire, 'main'),
    redact: (text) => redact(text, { boundary: true }),
  });
  const outcome = await writeSummary(
    inputFor(messages, {
      budgetTokens: 3_000,
      previousSummary: recordText({ 'Critical Context': `The token is ${planted.previousSummary}` }),
      focusTopic: `rotation of ${planted.focusTopic}`,
      memoryContext: `Remember ${planted.memory}`,
      pins: [4],
      abortOnFailure,
    }),
    host,
  );
  return { outcome, everything: JSON.stringify([server.received, outcome, events]) };
}

describe('secrets in every part of a transcript', () => {
  it('are all found by the redactor, which the other tests rely on', () => {
    for (const [place, value] of Object.entries(planted)) {
      expect(redact(`x ${value} y`, { boundary: true }), place).not.toContain(value);
    }
    expect(new Set(Object.values(planted)).size).toBe(Object.keys(planted).length);
  });

  const ends: readonly (readonly [string, Behaviour, boolean])[] = [
    [
      'a written summary that repeats one',
      { kind: 'answer', text: recordText({ Goal: `Use ${planted.fromModel}.` }) },
      false,
    ],
    [
      'a repaired summary',
      { kind: 'answer', text: recordText({ Goal: null, 'Active State': planted.fromModel }) },
      false,
    ],
    ['the fallback', { kind: 'status', status: 503, message: `no ${planted.fromProvider}` }, false],
    [
      'an abort',
      { kind: 'status', status: 401, code: planted.fromProvider, message: `Incorrect key ${planted.fromProvider}` },
      false,
    ],
    [
      'a failure nobody knows',
      { kind: 'status', status: 418, code: planted.fromProvider, message: planted.fromProvider },
      true,
    ],
  ];
  for (const wire of wires)
    it.each(ends)(`reach neither server, text, events nor errors over ${wire}: %s`, async (_, behaviour, abort) => {
      const { everything } = await summarize(wire, behaviour, abort);
      expect(server.received.length).toBeGreaterThan(0);
      for (const [place, value] of Object.entries(planted)) expect(everything.includes(value), place).toBe(false);
    });

  it('do not reach the work record', async () => {
    const { host } = setting({ redact: (text) => redact(text, { boundary: true }) });
    const outcome = await writeSummary(inputFor(messages, { budgetTokens: 3_000, pins: [4] }), host);
    expect(outcome.kind).toBe('written');
    const text = JSON.stringify(outcome);
    for (const [place, value] of Object.entries(planted)) expect(text.includes(value), place).toBe(false);
    expect(text).toContain('src/deploy.ts:12');
  });
});
