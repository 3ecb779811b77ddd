import { apply, type Edit, type RewriteEdit } from '@palimpsest/core';
import { writeHandoff } from '@palimpsest/core/authoring';
import { generateText, type ModelMessage } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { type AiSdkConversation, type AiSdkPart, aiSdk, compactNative } from '../src/index.ts';
import { enginesFor } from './engines.ts';

const reasons = [{ code: 'stub' }];
const marks = { anthropic: { cacheControl: { type: 'ephemeral' } } };
const conversation: ModelMessage[] = [
  { role: 'system', content: 'You are a coding agent.', providerOptions: marks },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is wrong here?' },
      { type: 'image', image: 'iVBORw0KGgo=', mediaType: 'image/png' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'I should look.', providerOptions: { anthropic: { signature: 'c2ln' } } },
      { type: 'text', text: 'I look.' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a.ts' } },
      { type: 'tool-call', toolCallId: 'b', toolName: 'deploy', input: { to: 'production' } },
      { type: 'tool-approval-request', approvalId: 'approval', toolCallId: 'b' },
    ],
  },
  { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'approval', approved: false }] },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'a',
        toolName: 'read',
        output: { type: 'error-json', value: { lines: ['x'.repeat(400)] } },
        providerOptions: marks,
      },
      {
        type: 'tool-result',
        toolCallId: 'b',
        toolName: 'deploy',
        output: { type: 'execution-denied', reason: 'Not today.' },
      },
    ],
  },
  { role: 'assistant', content: 'It is not deployed.' },
  { role: 'user', content: 'Carry on, then.' },
];

function encode(...edits: readonly Edit[]): readonly ModelMessage[] {
  const decoded = aiSdk.decode({ messages: conversation });
  return aiSdk.encode(decoded, apply(decoded.messages, edits)).messages;
}

describe('aiSdk', () => {
  it('keeps approvals with their calls', () => {
    const { messages, origins } = aiSdk.decode({ messages: conversation });
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'user',
    ]);
    expect(messages[3]!.content).toBe(JSON.stringify({ lines: ['x'.repeat(400)] }));
    expect(messages[4]!.content).toBe('Not today.');
    expect(origins[2]!.pieces).toEqual([{ index: 2, blocks: [0, 1, 2, 3, 4] }, { index: 3 }]);
    expect(aiSdk.validate({ messages: conversation })).toEqual([]);
  });

  it('keeps options and error type of a rewritten output', () => {
    const messages = encode({ kind: 'rewrite', at: 3, set: { content: '[read] a.ts' }, reasons });
    const [first, second] = messages[4]!.content as readonly object[];
    expect(first).toEqual({
      type: 'tool-result',
      toolCallId: 'a',
      toolName: 'read',
      output: { type: 'error-text', value: '[read] a.ts' },
      providerOptions: marks,
    });
    expect(second).toBe((conversation[4]!.content as readonly object[])[1]);
    for (const at of [0, 1, 2, 3, 5, 6]) expect(messages[at]).toBe(conversation[at]);
  });

  it('keeps the error type of an output rewritten as text parts', () => {
    const content = ['[read]', 'a.ts'].map((text) => ({ type: 'text', text }));
    const messages = encode({ kind: 'rewrite', at: 3, set: { content }, reasons });
    expect(messages[4]!.content).toMatchObject([{ output: { type: 'error-text', value: '[read]\na.ts' } }, {}]);
  });

  it('removes approvals with their exchange', () => {
    const messages = encode({
      kind: 'replace',
      groups: [1, 4],
      with: [{ handoff: writeHandoff('Earlier.'), carry: [] }],
      reasons,
    });
    expect(messages).toEqual([conversation[0], { role: 'user', content: writeHandoff('Earlier.') }, conversation[6]]);
  });

  it('writes messages that pass the checks of the SDK, with both engines', async () => {
    const long: ModelMessage[] = Array.from({ length: 12 }, () => conversation.slice(1)).flat();
    for (const engine of await enginesFor('openai', 6_000)) {
      const { native, result } = await compactNative(
        engine,
        aiSdk,
        { messages: [conversation[0]!, ...long] },
        { force: true },
      );
      expect(result.outcome, engine.name).toBe('compacted');
      const model = new MockLanguageModelV3({
        doGenerate: {
          content: [{ type: 'text', text: 'ok' }],
          finishReason: { unified: 'stop', raw: undefined },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
          warnings: [],
        },
      });
      // The output matches the SDK's types and its run-time checks.
      const { text } = await generateText({ model, allowSystemInMessages: true, ...native });
      expect(text, engine.name).toBe('ok');
      expect(model.doGenerateCalls[0]!.prompt.length).toBeGreaterThan(1);
    }
  });
});

describe('parts that a provider stores', () => {
  const stored = (itemId: string): object => ({ providerOptions: { openai: { itemId, phase: 'final' } } });
  const thought = (id: string): AiSdkPart => ({ type: 'reasoning', text: 'Hm.', ...stored(id) }) as AiSdkPart;
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: { path: 'a.ts' }, ...stored('fc_2') };
  const said = { type: 'text', text: 'I look at the file.', ...stored('msg_1') } as AiSdkPart;
  const result = { type: 'tool-result', toolCallId: 'a', toolName: 'look', output: { type: 'text', value: 'seen' } };
  const native: AiSdkConversation = {
    messages: [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [thought('rs_1'), said, thought('rs_2'), call as AiSdkPart] },
      { role: 'tool', content: [result as AiSdkPart] },
    ],
  };
  const edited = (set: RewriteEdit['set']): readonly AiSdkPart[] => {
    const decoded = aiSdk.decode(native);
    const output = aiSdk.encode(decoded, apply(decoded.messages, [{ kind: 'rewrite', at: 1, set, reasons: [] }]));
    return output.messages[1]!.content as readonly AiSdkPart[];
  };

  it('lose the id and the thought if their text is edited, because with the id the SDK would send the old text', () => {
    const parts = edited({ content: 'I look.' });
    expect(parts.map(({ type }) => type)).toEqual(['text', 'reasoning', 'tool-call']);
    expect(parts[0]).toMatchObject({ text: 'I look.', providerOptions: { openai: { phase: 'final' } } });
    expect(JSON.stringify(parts)).not.toMatch(/msg_1|rs_1/);
    expect(JSON.stringify(parts)).toContain('rs_2');
  });

  it('lose the thought if their text is removed', () => {
    expect(edited({ content: '' }).map(({ type }) => type)).toEqual(['reasoning', 'tool-call']);
  });

  it('keep the thought and lose the id if the input of a call is edited', () => {
    const made = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } } as const;
    const parts = edited({ tool_calls: [made] });
    expect(parts.slice(0, 3)).toEqual((native.messages[1]!.content as readonly AiSdkPart[]).slice(0, 3));
    expect(parts[3]).toMatchObject({ type: 'tool-call', input: {} });
    expect(JSON.stringify(parts)).not.toContain('fc_2');
  });

  it('lose their ids if their thoughts are removed', () => {
    expect(JSON.stringify(edited({ reasoning_content: null }))).not.toMatch(/rs_|msg_|fc_/);
  });
});
