import { agentReader } from '@palimpsest/agents';
import { contentWithoutHandoff, type Message, readHandoff, validateTranscript } from '@palimpsest/core';
import { assistant, call, result, system, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import type { AfterCompaction, BeforeCompaction } from '../../src/options/session-hooks.ts';
import { filler, makeSession, turns } from '../make-session.ts';

describe('beforeCompaction', () => {
  it('receives the messages before the compaction, and its text is passed to the summarizer', async () => {
    const seen: BeforeCompaction[] = [];
    const { session, summarizer } = makeSession({
      hooks: {
        beforeCompaction: (info) => {
          seen.push(info);
          return 'The user prefers tabs.';
        },
      },
    });
    const messages = turns(20);
    await session.beforeRequest(messages);
    expect(seen.length).toBe(1);
    expect(seen[0]).toMatchObject({ sessionId: 'session-under-test', trigger: 'threshold' });
    expect(seen[0]!.messages).toEqual(messages);
    expect(JSON.stringify(summarizer.calls[0])).toContain('The user prefers tabs.');
  });

  it('can send requests through the session without a deadlock', async () => {
    const made: { session?: ReturnType<typeof makeSession>['session'] } = {};
    const asked: number[] = [];
    const { session } = makeSession({
      hooks: {
        beforeCompaction: async ({ messages }) => {
          asked.push((await made.session!.beforeRequest(messages)).messages.length);
          return null;
        },
      },
    });
    made.session = session;
    await session.beforeRequest(turns(30));
    expect(asked).toEqual([120]);
  });

  it('that throws or hangs is reported and skipped', async () => {
    const throwing = makeSession({
      hooks: {
        beforeCompaction: () => {
          throw new Error('no disk');
        },
      },
    });
    await throwing.session.beforeRequest(turns(30));
    expect(throwing.session.records().length).toBe(1);
    expect(throwing.events.find(({ type }) => type === 'hook-failed')).toMatchObject({
      hook: 'beforeCompaction',
      reason: 'no disk',
    });

    const hanging = makeSession({ hooks: { beforeCompaction: () => new Promise(() => {}) } });
    const request = hanging.session.beforeRequest(turns(30));
    while (hanging.clock.pending === 0) await Promise.resolve();
    hanging.clock.advance(30_000);
    await request;
    expect(hanging.session.records().length).toBe(1);
    expect(hanging.events.some(({ type }) => type === 'hook-failed')).toBe(true);
  });
});

describe('afterCompaction', () => {
  it('has its todo list inserted before the words of the user, with the same bytes every turn', async () => {
    const { session } = makeSession({ hooks: { afterCompaction: () => ({ todo: '- [ ] write the tests' }) } });
    const messages = turns(30);
    messages.push(user('Now write the tests.'));
    const first = await session.beforeRequest(messages);
    const last = first.messages.findLast(({ role }) => role === 'user') as Message;
    expect(last.content).toContain('- [ ] write the tests');
    expect(String(last.content).endsWith('Now write the tests.')).toBe(true);
    expect(validateTranscript(first.messages as Message[])).toEqual([]);
    const more = [...messages, assistant('They are written.'), user('And run them.')];
    const second = await session.beforeRequest(more);
    expect(JSON.stringify(second.messages.slice(0, first.messages.length))).toBe(JSON.stringify(first.messages));
    // A caller that stores the output does not get it twice, and it is not taken for a request.
    const stored = await session.beforeRequest([...(first.messages as Message[]), ...more.slice(-2)]);
    expect(JSON.stringify(stored.messages)).toBe(JSON.stringify(second.messages));
  });

  it('rebuilds the system prompt only when it changed', async () => {
    const prompts: (string | null)[] = [];
    let next = 'You are a coding agent.';
    const { session } = makeSession({
      hooks: {
        afterCompaction: ({ system: now }) => {
          prompts.push(now);
          return { system: next };
        },
      },
    });
    const prompt = system('You are a coding agent.');
    const messages = [prompt, ...turns(30)];
    const same = await session.beforeRequest(messages);
    expect(same.messages[0]).toBe(prompt);
    next = 'You are a coding agent. The user prefers tabs.';
    await session.compact({ messages: [...messages, ...turns(20)] });
    const rebuilt = await session.beforeRequest([...messages, ...turns(20)]);
    expect(rebuilt.messages[0]).toEqual(system(next));
    expect(prompts).toEqual(['You are a coding agent.', 'You are a coding agent.']);
  });

  it('keeps the cache mark of a system prompt that it rebuilds', async () => {
    const { session } = makeSession({ hooks: { afterCompaction: () => ({ system: 'Rebuilt.' }) } });
    const cache_control = { type: 'ephemeral' };
    const blocks = ['Billing.', 'You are a coding agent.'].map((text) => ({ type: 'text', text, cache_control }));
    const beside = await session.beforeRequest(turns(30), { system: blocks });
    expect(beside.system).toEqual([{ type: 'text', text: 'Rebuilt.', cache_control }]);
    const inside = await session.beforeRequest([{ role: 'system', content: blocks } as Message, ...turns(30)]);
    expect(inside.messages[0]!.content).toEqual([{ type: 'text', text: 'Rebuilt.', cache_control }]);
  });

  it('receives the removed results, so that a host can clear its caches', async () => {
    const told: AfterCompaction[] = [];
    const { session } = makeSession({
      hooks: {
        afterCompaction: (info) => {
          told.push(info);
          return null;
        },
      },
    });
    const messages = turns(20);
    const { info } = await session.beforeRequest(messages);
    const gone = messages.flatMap(({ role, tool_call_id: id }, at) =>
      role === 'tool' && info.provenance.source[at]!.kind !== 'kept' ? [id] : [],
    );
    expect(told[0]!.removedResults.map(({ toolCallId }) => toolCallId)).toEqual(gone);
    expect(told[0]!.removedResults[0]).toMatchObject({ toolName: 'read_file', input: '{"path":"src/file-0.ts"}' });
    expect(told[0]!.record).toMatchObject({ number: 1, trigger: 'threshold' });
    expect(told[0]!.messages.some((message) => readHandoff(message))).toBe(true);
  });

  it('that returns an invalid answer changes nothing', async () => {
    for (const answer of [42, 'text', { todo: 7, system: [] }, { todo: '  ' }, []]) {
      const key = 'the same handoffs of both';
      const plain = makeSession({ key });
      const { session } = makeSession({ key, hooks: { afterCompaction: () => answer as never } });
      const messages = turns(30);
      expect((await session.beforeRequest(messages)).messages).toEqual(
        (await plain.session.beforeRequest(messages)).messages,
      );
    }
  });
});

describe('the events of a session', () => {
  it('reach every listener, with ids, and a listener that throws stops nothing', async () => {
    const { session, events } = makeSession();
    const heard: string[] = [];
    session.on(() => {
      throw new Error('not my problem');
    });
    const stop = session.on(({ type }) => heard.push(type));
    await session.beforeRequest(turns(30));
    expect(heard).toEqual(events.map(({ type }) => type));
    expect(new Set(events.map(({ sessionId }) => sessionId))).toEqual(new Set(['session-under-test']));
    expect(events.find(({ type }) => type === 'checkpoint-commit')).toMatchObject({
      checkpoint: 1,
      compaction: 1,
      modelCalls: 1,
    });
    stop();
    await session.undo();
    expect(heard).not.toContain('checkpoint-undo');
  });

  it('report repairs of a conversation once', async () => {
    const { session, events } = makeSession();
    const broken: Message[] = [
      user('Read the file.'),
      assistant(null, call('call_1', 'read_file', { path: 'a.ts' }), call('call_2', 'read_file', { path: 'b.ts' })),
      result('call_1', filler(10, 1)),
      result('call_9', 'of nobody'),
      user(''),
    ];
    const made = await session.beforeRequest(broken);
    expect(validateTranscript(made.messages as Message[])).toEqual([]);
    await session.beforeRequest(broken);
    expect(events.filter(({ type }) => type === 'input-repaired').length).toBe(1);
  });

  it('warn when the model would answer its own summary', async () => {
    const { session, events } = makeSession({ window: 100_000 });
    const messages = turns(30);
    await session.compact({ messages });
    const { messages: sent } = await session.beforeRequest(messages);
    const handoff = sent.find((message) => readHandoff(message as Message)) as Message;
    const alone = {
      ...handoff,
      content: String(handoff.content).replace(String(contentWithoutHandoff(handoff, agentReader)), ''),
    };
    const { info } = await session.beforeRequest([alone]);
    expect(info.warnings.join(' ')).toContain('No user message follows the handoff');
    expect(events.some(({ type }) => type === 'handoff-unanswered')).toBe(true);
  });
});
