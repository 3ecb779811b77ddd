import { contentText, isSynthetic, isToolResult, type Message, readHandoff } from '@palimpsest/core';
import { assistant, call, result, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filler, makeSession, turn, turns } from '../make-session.ts';

const refs = /\[ref ([0-9a-f]{8}(?:-\d+)?)\]$/;
const sentence = 'The tool `recall` searches everything';

/** One long agent loop: results of different sizes, so that some become stubs and some are summarized. */
function loop(sizes: readonly number[]): Message[] {
  return [
    user('Look at all files.'),
    ...sizes.flatMap((tokens, at) => [
      assistant(null, call(`call_${at}`, 'read_file', { path: `src/file-${at}.ts` })),
      result(`call_${at}`, filler(tokens, at)),
    ]),
  ];
}

function notesIn(messages: readonly Message[]): { readonly refs: string[]; readonly sentences: number } {
  const texts = messages.map(({ content }) => contentText(content));
  return {
    refs: texts.flatMap((text) => refs.exec(text)?.[1] ?? []),
    sentences: texts.filter((text) => text.includes(sentence)).length,
  };
}

describe('refs in a request', () => {
  it('are there exactly when the tools are, and lead to the whole text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 60, max: 700 }), { minLength: 10, maxLength: 40 }),
        fc.constantFrom<readonly number[]>([0, 1], [0, 1], [0, 1], [0], [1], []),
        async (sizes, declared) => {
          const { session } = makeSession({ recall: true });
          const own = { type: 'function', function: { name: 'read_file' } };
          const tools = [own, ...(await session.tools()).filter((_, at) => declared.includes(at))];
          const history = loop(sizes);
          const request = await session.beforeRequest(history, { tools });
          const { provenance } = request.info;
          const notes = notesIn(request.messages);
          const shortened = request.messages.filter(
            (message, at) => isToolResult(message) && provenance.output[at]!.kind === 'rewritten',
          );
          const handoffs = provenance.output.filter(({ kind }) => kind === 'inserted').length;
          expect(notes.refs.length).toBe(declared.length === 2 ? shortened.length : 0);
          expect(notes.sentences).toBe(declared.length === 2 ? handoffs : 0);
          for (const message of shortened) {
            const ref = refs.exec(contentText(message.content))?.[1];
            const at = provenance.output[request.messages.indexOf(message)]!;
            const original = at.kind === 'inserted' ? '' : contentText(history[at.from]!.content);
            if (ref)
              expect(await session.callTool('expand', { ref, lines: '1-1' })).toContain(original.split('\n')[0]!);
            expect(isSynthetic(message)).toBe(true);
          }
        },
      ),
      { numRuns: 80 },
    );
  });

  it('stay the same bytes until the next compaction, and go with the tools', async () => {
    const { session } = makeSession({ recall: true });
    const tools = await session.tools();
    const history = loop(Array.from({ length: 30 }, () => 300));
    const first = await session.beforeRequest(history, { tools });
    expect(notesIn(first.messages).refs.length + notesIn(first.messages).sentences).toBeGreaterThan(0);
    const longer = [...history, assistant('Done.'), user('Thanks.')];
    const second = await session.beforeRequest(longer, { tools });
    expect(second.info.compactions).toEqual([]);
    expect(JSON.stringify(second.messages.slice(0, first.messages.length))).toBe(JSON.stringify(first.messages));
    const without = await session.beforeRequest(longer, { tools: [] });
    expect(notesIn(without.messages)).toEqual({ refs: [], sentences: 0 });
    expect(without.info.tokens).toBeLessThan(second.info.tokens);
  });

  it('are removed from messages that the host passes back, when the tools are gone', async () => {
    const { session } = makeSession({ recall: true });
    const history = loop(Array.from({ length: 30 }, () => 300));
    const first = await session.beforeRequest(history, { tools: await session.tools() });
    const back = JSON.parse(JSON.stringify(first.messages)) as Message[];
    const second = await session.beforeRequest([...back, assistant('Done.'), user('Thanks.')], { tools: [] });
    expect(notesIn(second.messages)).toEqual({ refs: [], sentences: 0 });
  });

  it('leaves results alone that only look like ours', async () => {
    const { session } = makeSession({ recall: true });
    const text = 'A line of a file [ref 0123abcd]';
    const history = [user('Read it.'), assistant(null, call('c', 'read_file', {})), result('c', text)];
    const { messages } = await session.beforeRequest(history, { tools: await session.tools() });
    expect(contentText(messages.at(-1)!.content)).toBe(text);
  });
});

describe('what was loaded or read and is hidden', () => {
  const secret = `ghp_${'a8Xk2'.repeat(7)}q`;
  const skill = 'Base directory for this skill: /home/u/.claude/skills/release';
  const read = (id: string, tool: string, input: object, text: string): Message[] => [
    assistant(null, call(id, tool, input)),
    result(id, text),
  ];
  const history: Message[] = [
    user('Work on all files.'),
    ...read('s', 'skill_view', { name: 'hermes-agent-dev' }, `# SKILL.md\nNever push on Friday.\n${filler(300, 's')}`),
    ...read('d', 'read_file', { path: 'docs/protocol.md' }, `# Protocol\npart 0 line 77: ports\n${filler(300, 'd')}`),
    ...read('c', 'Skill', { skill: 'release' }, 'Launching skill: release'),
    user(`${skill}\n\n# Release\nTag before you publish.\n${filler(300, 'r')}`),
    ...read('w', 'web_fetch', { url: `https://x.test/a?token=${secret}` }, filler(300, 'w')),
    ...Array.from({ length: 40 }, (_, at) =>
      read(`f${at}`, 'read_file', { path: `src/file-${at}.ts` }, filler(300, at)),
    ).flat(),
    assistant('All are read.'),
    user('And now?'),
  ];

  it('is named in the handoff with refs that expand knows, masked, within a bound, in the same bytes', async () => {
    const { session } = makeSession({ recall: true });
    const tools = await session.tools();
    const request = await session.beforeRequest(history, { tools });
    const handoff = request.messages.find((message) => readHandoff(message))!;
    const { body } = readHandoff(handoff)!;
    const list = body.slice(0, body.indexOf('\n\n'));
    expect(list).toContain(sentence);
    const refTo = (name: string): string => {
      const line = list.split('\n').find((one) => one.includes(name))!;
      return refs.exec(line)![1]!;
    };
    const shown = {
      'hermes-agent-dev': 'Never push on Friday.',
      'skills/release': 'Tag before you publish.',
      'docs/protocol.md': 'part 0 line 77',
    };
    for (const [name, text] of Object.entries(shown)) {
      expect(await session.callTool('expand', { ref: refTo(name), lines: '1-5' })).toContain(text);
    }
    expect(list).toContain('src/file-');
    expect(list).not.toContain('Skill release');
    expect(list).not.toContain(secret);
    expect(list.length).toBeLessThan(1_600);
    const next = await session.beforeRequest([...history, assistant('Done.'), user('Thanks.')], { tools });
    expect(next.info.compactions).toEqual([]);
    expect(JSON.stringify(next.messages.slice(0, request.messages.length))).toBe(JSON.stringify(request.messages));
    // Without the tools, also when the host passes the request back, nothing of it is left.
    const without = await session.beforeRequest(history, { tools: [] });
    const back = await makeSession({ recall: true }).session.beforeRequest(
      JSON.parse(JSON.stringify(request.messages)) as Message[],
    );
    for (const { messages } of [without, back])
      expect(JSON.stringify(messages)).not.toMatch(/`recall` searches|Loaded or read before/);
    expect(await session.callTool('recall', { query: '"part 0 line 77"' })).toContain('part 0 line 77: ports');
    expect(await session.callTool('recall', { query: 'part 0 line 77' })).toContain('part 0 line 77: ports');
  });
});

describe('results of recall', () => {
  it('are stubbed first, are not found again, and are no work in the handoff', async () => {
    const { session } = makeSession({ recall: true });
    const tools = await session.tools();
    const history: Message[] = [
      ...turns(3),
      user('Search.'),
      assistant(null, call('r', 'recall', { query: 'zebra-4711' })),
      result('r', `Quoted from what is hidden.\n${filler(400, 'zebra-4711')}`),
      assistant('Found it.'),
      ...Array.from({ length: 30 }, (_, index) => turn(index + 10)).flat(),
      user('And now?'),
    ];
    const request = await session.beforeRequest(history, { tools });
    const shown = request.messages.map(({ content }) => contentText(content)).join('\n');
    expect(shown).not.toContain('zebra-4711:5 const');
    expect(shown.slice(0, shown.indexOf('END OF CONTEXT HANDOFF'))).not.toContain('zebra-4711');
    expect(await session.callTool('recall', { query: 'zebra-4711:5 const' })).not.toContain('zebra-4711:5');
  });
});
