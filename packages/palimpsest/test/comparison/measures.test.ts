import { apply, type Edit, type Message } from '@palimpsest/core';
import { prependHandoff, writeHandoff } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { identifiersIn } from '../../src/comparison/anchors.ts';
import { keptAnchors } from '../../src/comparison/kept.ts';
import { keptFiles } from '../../src/comparison/kept-files.ts';
import { keptUserMessages } from '../../src/comparison/kept-user-messages.ts';
import { newViolations } from '../../src/comparison/new-violations.ts';
import { isRequestKept } from '../../src/comparison/request-kept.ts';

const user = (content: string): Message => ({ role: 'user', content });
const assistant = (content: string): Message => ({ role: 'assistant', content });
const handoff = writeHandoff('## Goal\nEarlier work on src/early/file.ts.');

describe('whether the request is kept', () => {
  const input = [
    user('First do this.'),
    assistant('Done.'),
    user('Now this.'),
    user('And that.'),
    assistant('Working.'),
  ];

  it('finds an unchanged request', () => {
    expect(isRequestKept(input, input)).toBe(true);
    expect(isRequestKept(input, input.slice(2))).toBe(true);
  });

  it('finds it after a handoff in the same user message', () => {
    expect(
      isRequestKept(input, [user(prependHandoff(handoff, 'Now this.\n\nAnd that.') as string), assistant('Working.')]),
    ).toBe(true);
  });

  it.each([
    ['a part of it is gone', [user('And that.'), assistant('Working.')]],
    ['a word differs', [user('Now this!'), user('And that.')]],
    ['it is only quoted', [user(`${handoff}\n\nHe said: Now this. And that. But never mind.`)]],
    ['it is in the wrong order', [user('And that.'), user('Now this.')]],
    ['the assistant says it', [assistant('Now this.\n\nAnd that.')]],
    ['nothing is left', []],
  ])('misses it when %s', (_what, output) => {
    expect(isRequestKept(input, output)).toBe(false);
  });

  it('requires the images of a request as well', () => {
    const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const asked: Message = { role: 'user', content: [{ type: 'text', text: 'What is this?' } as never, picture] };
    expect(isRequestKept([asked], [{ ...asked, content: prependHandoff(handoff, asked.content as never) }])).toBe(true);
    expect(isRequestKept([asked], [user(`${handoff}\n\nWhat is this?`)])).toBe(false);
  });

  it('returns null without a request', () => {
    expect(isRequestKept([assistant('Hello.'), user(handoff)], [])).toBe(null);
  });
});

describe('the changed files that are kept', () => {
  const edit = (path: string, id: string): Message[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id, type: 'function', function: { name: 'edit_file', arguments: JSON.stringify({ path, new_text: 'x' }) } },
      ],
    },
    { role: 'tool', tool_call_id: id, content: 'The file was changed.' },
  ];
  const paths = ['/work/app/src/store/index.ts', '/work/app/src/page/index.ts', '/work/app/README.md', '/tmp/note.txt'];
  const input = [user('Change them.'), ...paths.flatMap((path, at) => edit(path, `call_${at}`))];

  it('counts those that any message names, and lists the others', () => {
    expect(keptFiles(input, input)).toEqual({ kept: 3, of: 3, lost: [] });
    expect(keptFiles(input, [user('Nothing.')])).toMatchObject({ kept: 0, of: 3 });
    const partly = [
      user('Changed: /work/app/src/store/index.ts.'),
      assistant('And app/README.md'),
      user('page/index.tsx'),
    ];
    expect(keptFiles(input, partly)).toEqual({ kept: 2, of: 3, lost: ['/work/app/src/page/index.ts'] });
    expect(keptFiles([user('Look.')], [])).toEqual({ kept: 0, of: 0, lost: [] });
  });

  it('finds them where they are listed by folder', () => {
    const listed = user(
      '- Changed in /work/app/src/store/: index.ts, other.ts\n- Changed in /work/app/src/page/: none.ts',
    );
    expect(keptFiles(input, [listed]).lost).toEqual(['/work/app/src/page/index.ts', '/work/app/README.md']);
  });
});

describe('what is kept', () => {
  const input = [
    user('Fix src/app/main.ts please.'),
    assistant('See https://example.org/issue/7.'),
    user('Use commit 3f2a9c1d.'),
  ];

  it('counts verbatim user messages, also after a handoff', () => {
    expect(keptUserMessages(input, input)).toEqual({ kept: 2, of: 2 });
    expect(keptUserMessages(input, [user(`${handoff}\n\nUse commit 3f2a9c1d.`)])).toEqual({ kept: 1, of: 2 });
    expect(keptUserMessages(input, [assistant('Use commit 3f2a9c1d.')])).toEqual({ kept: 0, of: 2 });
  });

  it.each([
    [2, 'as a list', '1. Fix src/app/main.ts please.\n  Agent: Done.\n2. Use commit 3f2a9c1d. (done)'],
    [2, 'in quotation marks', 'They said "Fix src/app/main.ts please." and then: “Use commit 3f2a9c1d.”'],
    [1, 'the other one shortened', '1. Fix src/app/main.ts …\n2. Use commit 3f2a9c1d.'],
    [0, 'as parts of longer sentences', 'Do not Fix src/app/main.ts please. Use commit 3f2a9c1d. Or another.'],
  ])('counts %i user messages that a handoff quotes %s', (kept, _how, body) => {
    expect(keptUserMessages(input, [user(writeHandoff(body))])).toEqual({ kept, of: 2 });
    expect(keptUserMessages(input, [user(body)])).toEqual({ kept: 0, of: 2 });
  });

  it('finds a quotation with other line breaks', () => {
    const lines = [user('First the tests.\n\n  Then the docs.')];
    const quoted = [
      '1. First the tests.   Then the docs.',
      '> First the tests.\n> Then the docs.',
      'First the tests.\nThen the docs.',
    ];
    const counted = quoted.map((body) => keptUserMessages(lines, [user(writeHandoff(body))]).kept);
    expect(counted).toEqual([1, 0, 1]);
  });

  it('counts identifiers that still appear anywhere', () => {
    expect(keptAnchors(input, input)).toEqual({ kept: 3, of: 3, lost: [] });
    expect(keptAnchors(input, [assistant('Worked in `./src/app/main.ts:12`, then (3f2a9c1d).')])).toEqual({
      kept: 2,
      of: 3,
      lost: ['https://example.org/issue/7'],
    });
  });

  it.each([
    ['see src/a.ts, lib/b/c and ./d/e.py:10:2.', ['src/a.ts', 'lib/b/c', 'd/e.py']],
    ['package.json or "README.md"', ['package.json', 'README.md']],
    ['at https://example.org/x?y=1.', ['https://example.org/x?y=1']],
    ['commit 9f8e7d6c5b and/or 1234567 of 2024-01-01', ['9f8e7d6c5b']],
    ['größe/maß/ß.ts', ['größe/maß/ß.ts']],
    ['e.g. this. That is v1.2.3, i.e. nothing', []],
    ['A'.repeat(100_000), []],
  ])('of %j are %j', (text, identifiers) => {
    expect(identifiersIn(text)).toEqual(identifiers);
  });

  it('decodes the strings in call arguments', () => {
    const call = (path: string): Message => ({
      role: 'assistant',
      content: null,
      tool_calls: [
        {
          id: 'a',
          type: 'function',
          function: { name: 'edit', arguments: JSON.stringify({ text: `one\n${path}\ntwo` }) },
        },
      ],
    });
    expect(keptAnchors([call('src/new/file.ts')], [assistant('src/new/file.ts')])).toEqual({
      kept: 1,
      of: 1,
      lost: [],
    });
  });
});

describe('wire violations', () => {
  const orphan: Message = { role: 'tool', tool_call_id: 'gone', content: 'x' };
  const input = [user('a'), assistant('b'), orphan, assistant('c'), user('d')];
  const after = (edits: readonly Edit[]) => {
    const { messages, provenance } = apply(input, edits);
    return newViolations(input, messages as readonly Message[], provenance);
  };

  it('are not those that were in the input, wherever they moved', () => {
    const dropFirst: Edit = { kind: 'replace', groups: [0, 1], with: [], reasons: [{ code: 'drop' }] };
    expect(after([dropFirst])).toEqual([]);
    expect(newViolations([], input, { source: [], output: [] })).toMatchObject([{ rule: 'result-orphan', index: 2 }]);
  });

  it('counts new ones, even if the input had the same one elsewhere', () => {
    const output = [user('a'), orphan, user(' ')];
    const provenance = {
      source: [],
      output: [
        { kind: 'original' as const, from: 0 },
        { kind: 'inserted' as const, edit: 0, covers: { from: 1, to: 4 } },
        { kind: 'rewritten' as const, from: 4, edit: 1 },
      ],
    };
    expect(newViolations(input, output, provenance)).toMatchObject([
      { rule: 'result-orphan', index: 1 },
      { rule: 'user-empty', index: 2 },
    ]);
  });
});
