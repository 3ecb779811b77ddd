import { contentText, type EngineHost, type ToolSchema } from '@palimpsest/core';
import { user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { compressorOn, makeSession, turns } from '../make-session.ts';

const history = [...turns(40), user('And now?')];

function refIn(answer: string): string {
  return /ref ([0-9a-f-]+):/.exec(answer)?.[1] ?? '';
}

describe('recall of a session', () => {
  it('offers two tools that answer from what the last request hides', async () => {
    const { session } = makeSession({ recall: true });
    const tools = await session.tools();
    expect(tools.map((schema) => schema.function.name)).toEqual(['recall', 'expand']);
    const request = await session.beforeRequest(history, { tools });
    expect(request.messages.map(({ content }) => contentText(content)).join('\n')).not.toContain('3:5 const value_5');
    const answer = await session.callTool('recall', '{"query":"src/file-3.ts value_5"}');
    expect(answer).toContain('3:5 const value_5 = compute(35);');
    expect(await session.callTool('expand', { ref: refIn(answer), lines: '1-3' })).toContain('3:0 const value_0');
  });

  it('is on by default, and gives way to tools of the host or the engine with its names', async () => {
    const names = async (options?: Parameters<typeof makeSession>[0]): Promise<readonly string[]> =>
      (await makeSession(options).session.tools()).map((schema) => schema.function.name);
    expect(await names()).toEqual(['recall', 'expand']);
    const own = { type: 'function', function: { name: 'recall', description: 'My own.' } };
    const { session } = makeSession();
    const hidden = await session.beforeRequest(history, { tools: [own] });
    expect(hidden.info.checkpoint).toBe(1);
    expect(JSON.stringify(hidden.messages)).not.toMatch(/\[ref |`recall`/);
    await expect(session.beforeRequest(history, { tools: [...(await session.tools()), own] })).rejects.toThrow(
      'tools[2]: "recall" is also the name of a tool of the session.',
    );
    const engine = (host: EngineHost) => {
      const schemas: ToolSchema[] = [{ type: 'function', function: { name: 'recall' } }];
      return {
        ...compressorOn(host, undefined),
        toolSchemas: () => schemas,
        handleToolCall: async () => 'of the engine',
      };
    };
    expect(await names({ engine })).toEqual(['recall']);
    expect(
      await makeSession({ engine })
        .session.callTool('recall', {})
        .catch(() => 'not opened'),
    ).toBe('of the engine');
  });

  it('offers nothing when it is off, and leaves both names free', async () => {
    const { session } = makeSession({ recall: false });
    expect(await session.tools()).toEqual([]);
    expect(await session.callTool('recall', {})).toBe('{"error":"Unknown context engine tool: recall"}');
    const own = { type: 'function', function: { name: 'recall', description: 'My own.' } };
    expect((await session.beforeRequest(history, { tools: [own] })).info.decision).not.toBeNull();
  });

  it('refuses an own tool of the host with one of the names', async () => {
    const { session } = makeSession({ recall: true });
    const own = { type: 'function', function: { name: 'expand', description: 'My own.' } };
    await expect(session.beforeRequest(history, { tools: [own] })).rejects.toThrow(
      'tools[0]: "expand" is also the name of a tool of the session. Rename your own tool.',
    );
  });

  it('works along with the tools of the engine, and refuses an engine with a tool of the same name', async () => {
    const engineWith = (name: string): Parameters<typeof makeSession>[0] & object => ({
      recall: true,
      engine: (host) => {
        const schemas: ToolSchema[] = [{ type: 'function', function: { name } }];
        const tools = { schemas, handle: async () => '{"from":"engine"}' };
        const planner = compressorOn(host, undefined);
        return { ...planner, toolSchemas: () => tools.schemas, handleToolCall: tools.handle };
      },
    });
    const { session } = makeSession(engineWith('search_notes'));
    expect((await session.tools()).map((schema) => schema.function.name)).toEqual(['search_notes', 'recall', 'expand']);
    expect(await session.callTool('search_notes', {})).toBe('{"from":"engine"}');
    await session.beforeRequest(history);
    expect(await session.callTool('recall', { query: 'value_5' })).toContain('const value_5');
    await expect(makeSession(engineWith('recall')).session.tools()).rejects.toThrow(
      'The engine "compressor" has a tool "recall" of its own.',
    );
  });

  it('answers calls in parallel about different conversations', async () => {
    const { session } = makeSession({ recall: true });
    await session.beforeRequest(history);
    const [whole, other] = await Promise.all([
      session.callTool('recall', { query: 'value_5' }),
      session.callTool('recall', { query: 'value_5' }, { messages: [user('Hello')] }),
    ]);
    expect(whole).toContain('const value_5');
    expect(other).toContain('Nothing is hidden');
  });

  it('follows undo, a reset and an edit of the history', async () => {
    const { session } = makeSession({ recall: true });
    await session.beforeRequest(history);
    const ref = refIn(await session.callTool('recall', { query: 'src/file-3.ts value_5' }));
    await session.undo();
    expect(await session.callTool('expand', { ref })).toContain('Do not use');
    expect(await session.callTool('recall', { query: 'value_5' })).toContain('Nothing is hidden');
    const edited = history.map((message) =>
      contentText(message.content).includes('3:5 const') ? { ...message, content: 'The file is empty.' } : message,
    );
    await session.compact({ messages: edited });
    expect(await session.callTool('expand', { ref })).toContain('Do not use');
    expect(await session.callTool('recall', { query: '"3:5 const value_5"' })).not.toContain('3:5 const value_5 =');
  });

  it('does not claim that nothing is hidden before it has seen the conversation', async () => {
    const { session } = makeSession({ recall: true });
    expect(await session.callTool('recall', { query: 'x' })).toContain('The conversation cannot be searched now.');
    expect(await session.callTool('recall', { query: 'x' }, { messages: history })).toContain('Nothing is hidden');
  });

  it('finds archived messages masked, and forgets them with the conversation', async () => {
    const { session } = makeSession({ recall: true, redact: (text) => text.replaceAll('hunter2', '[masked]') });
    await session.archive([user('The staging server is stage-7. The password is hunter2.')]);
    await session.beforeRequest([user('Where is staging?')]);
    const answer = await session.callTool('recall', { query: 'staging server' });
    expect(answer).toContain('stage-7. The password is [masked].');
    await session.reset();
    await session.beforeRequest([user('Where is staging?')]);
    expect(await session.callTool('recall', { query: 'staging server' })).not.toContain('stage-7');
    await expect(makeSession({ recall: false }).session.archive([])).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  });

  it('checks its options', () => {
    expect(() => makeSession({ recall: { maxTokens: 10 } })).toThrow('recall.maxTokens');
    expect(() => makeSession({ recall: 'yes' as never })).toThrow('recall');
  });
});
