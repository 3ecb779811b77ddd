import { describe, expect, it } from 'vitest';
import { checkMessages } from '../src/authoring.ts';
import {
  type Content,
  contentText,
  hasToolCalls,
  isBlank,
  isImagePart,
  isSystem,
  isTextPart,
  isToolResult,
  type Message,
  PalimpsestError,
  type Part,
  toolCallInput,
  toolCallName,
  toolCalls,
} from '../src/index.ts';

const text = (written: string, type = 'text'): Part => ({ type, text: written }) as Part;

describe('a content', () => {
  it('has its text parts as text', () => {
    const rows: readonly (readonly [Content, string])[] = [
      ['words', 'words'],
      [null, ''],
      [undefined, ''],
      [[], ''],
      [[text('a'), { type: 'image_url' }, text('b')], 'a\nb'],
      [[text('a', 'input_text'), text('b', 'output_text')], 'a\nb'],
      [[{ type: 'text' }, null as never, text('a')], 'a'],
      [42 as never, ''],
    ];
    for (const [content, expected] of rows) expect(contentText(content)).toBe(expected);
  });

  it('is blank if it has no text and no other part', () => {
    for (const content of ['', ' \n', null, undefined, [], [text(' ')], [null as never]])
      expect(isBlank(content)).toBe(true);
    for (const content of ['a', [text('a')], [{ type: 'image_url' }], [{ type: 'refusal' }]])
      expect(isBlank(content)).toBe(false);
  });

  it('has text parts and image parts under every name in use', () => {
    expect([text('a'), text('a', 'input_text'), text('a', 'output_text')].every(isTextPart)).toBe(true);
    expect(isTextPart({ type: 'text' })).toBe(false);
    expect(['image_url', 'image', 'input_image'].map((type) => isImagePart({ type }))).toEqual([true, true, true]);
    expect(isImagePart({ type: 'file' })).toBe(false);
  });
});

describe('a message', () => {
  const calling: Message = {
    role: 'assistant',
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'read', arguments: '{"x":1}' } },
      { id: 'b', type: 'custom', custom: { name: 'patch', input: '***' } },
    ],
  };

  it('has calls only in the assistant role, including legacy ones', () => {
    expect(toolCalls(calling).map((call) => [toolCallName(call), toolCallInput(call)])).toEqual([
      ['read', '{"x":1}'],
      ['patch', '***'],
    ]);
    expect(hasToolCalls(calling)).toBe(true);
    expect(hasToolCalls({ role: 'assistant', function_call: { name: 'f', arguments: '' } })).toBe(true);
    expect(hasToolCalls({ role: 'assistant', content: 'x', tool_calls: [] })).toBe(false);
    expect(hasToolCalls({ role: 'assistant', content: 'x', tool_calls: null, function_call: null })).toBe(false);
    expect(toolCalls({ ...calling, role: 'user' })).toEqual([]);
  });

  it('is a result, or a system message, by its role alone', () => {
    const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const;
    expect(roles.filter((role) => isToolResult({ role }))).toEqual(['tool', 'function']);
    expect(roles.filter((role) => isSystem({ role }))).toEqual(['system', 'developer']);
  });
});

describe('checking messages', () => {
  const codeOf = (value: unknown): unknown => {
    try {
      checkMessages(value as Message[]);
      return null;
    } catch (error) {
      return PalimpsestError.is(error) ? [error.code, error.details] : error;
    }
  };

  it('accepts every array of objects with a role, however broken they are', () => {
    for (const good of [[], [{ role: 'user' }], [{ role: 'critic', content: 7 }], [{ role: 'tool' }]])
      expect(codeOf(good)).toBeNull();
  });

  it('reports which message is invalid, and why', () => {
    expect(codeOf('text')).toEqual(['MESSAGES_INVALID', { index: -1, field: '' }]);
    expect(codeOf([{ role: 'user' }, null])).toEqual(['MESSAGES_INVALID', { index: 1, field: 'role' }]);
    expect(codeOf([{ content: 'x' }])).toEqual(['MESSAGES_INVALID', { index: 0, field: 'role' }]);
    expect(codeOf([['user', 'x']])).toEqual(['MESSAGES_INVALID', { index: 0, field: 'role' }]);
    // biome-ignore lint/suspicious/noSparseArray: the test needs the hole
    expect(codeOf([{ role: 'user' }, , { role: 'user' }])).toEqual(['MESSAGES_INVALID', { index: 1, field: 'role' }]);
  });

  it('rejects calls that are not objects', () => {
    expect(codeOf([{ role: 'assistant', tool_calls: [null] }])).toEqual([
      'MESSAGES_INVALID',
      { index: 0, field: 'tool_calls' },
    ]);
    expect(codeOf([{ role: 'assistant', tool_calls: ['read'] }])).toEqual([
      'MESSAGES_INVALID',
      { index: 0, field: 'tool_calls' },
    ]);
    expect(codeOf([{ role: 'assistant', tool_calls: null }])).toBeNull();
  });
});
