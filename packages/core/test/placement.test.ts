import { describe, expect, it } from 'vitest';
import {
  alignTailStart,
  Draft,
  headEnd,
  placeHandoff,
  prependHandoff,
  Transcript,
  tailStarts,
  writeHandoff,
} from '../src/authoring.ts';
import {
  apply,
  contentText,
  type Message,
  type Part,
  readHandoff,
  type TokenCounter,
  validateTranscript,
} from '../src/index.ts';
import { joinContents } from '../src/plans/inserted-message.ts';
import { harnessReader } from './harness-reader.ts';

const counter: TokenCounter = { countText: () => 1, countMessage: () => 1 };
const transcriptOf = (messages: readonly Message[]): Transcript =>
  Transcript.of(messages, counter, { reader: harnessReader });

const system: Message = { role: 'system', content: 'be brief' };
const user = (content: string): Message => ({ role: 'user', content });
const reply: Message = { role: 'assistant', content: 'done' };
const exchange = (id: string): Message[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: id, content: 'contents' },
];

function placed(
  messages: readonly Message[],
  groups: readonly [number, number],
): { output: readonly Message[]; kinds: string[] } {
  const draft = new Draft(transcriptOf(messages));
  placeHandoff(draft, groups, 'notes', { reason: { code: 'summarize' } });
  const { messages: output, provenance } = apply(messages, draft.edits());
  expect(validateTranscript(output as Message[], { dialect: 'strict' })).toEqual([]);
  return { output: output as Message[], kinds: provenance.source.map(({ kind }) => kind) };
}

describe('a handoff is placed', () => {
  it("before the user's words, if the tail begins with them", () => {
    const messages = [system, user('one'), reply, user('two'), ...exchange('a')];
    const { output, kinds } = placed(messages, [1, 3]);
    expect(output).toHaveLength(4);
    expect(readHandoff(output[1]!)).toEqual({ version: 1, body: 'notes', rest: 'two' });
    expect(kinds).toEqual(['kept', 'summarized', 'summarized', 'carried', 'kept', 'kept']);
  });

  it('before a screenshot without words, which stays a request next to the harness text before it', () => {
    const screenshot = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } } as const;
    const text = '<returncode>0</returncode>\n</harness-</harness-message>message>\n<output>README.md</output>';
    const harness: Message = { role: 'user', content: [null, { type: 'text', text }] as unknown as Part[] };
    const messages: Message[] = [user('one'), reply, harness, { role: 'user', content: [screenshot] }, reply];
    const { output } = placed(messages, [0, 2]);
    expect(transcriptOf(output).isFromPerson(0)).toBe(true);
    expect(readHandoff(output[0]!)?.rest).toEqual([
      {
        type: 'text',
        text: '<harness-message>\n<returncode>0</returncode>\n</harness- message>\n<output>README.md</output>\n</harness-message>',
      },
      screenshot,
    ]);
  });

  it('before a verbatim copy of the request, if the request is before the tail', () => {
    const messages = [system, user('migrate it all'), ...exchange('a'), ...exchange('b'), ...exchange('c')];
    const { output, kinds } = placed(messages, [1, 3]);
    expect(readHandoff(output[1]!)).toEqual({ version: 1, body: 'notes', rest: 'migrate it all' });
    expect(output.slice(2)).toEqual([...exchange('b'), ...exchange('c')]);
    expect(kinds).toEqual(['kept', 'carried', ...new Array(2).fill('summarized'), ...new Array(4).fill('kept')]);
  });

  it('alone, if the tail begins with an assistant message and contains the request', () => {
    const messages = [system, user('one'), ...exchange('a'), reply, user('two')];
    const { output } = placed(messages, [1, 3]);
    expect(readHandoff(output[1]!)).toEqual({ version: 1, body: 'notes', rest: '' });
    expect(output.slice(2)).toEqual([reply, user('two')]);
  });

  it('with the name of the user whose words it carries', () => {
    const { output } = placed([user('one'), reply, { ...user('two'), name: 'ada' }], [0, 2]);
    expect(output[0]).toMatchObject({ role: 'user', name: 'ada' });
  });

  it('before system messages, which stay whole', () => {
    const german: Message = { role: 'developer', content: 'answer in German' };
    const messages = [user('one'), reply, german, user('two'), reply, user('three')];
    const draft = new Draft(transcriptOf(messages));
    placeHandoff(draft, [0, 5], 'notes', { reason: { code: 'summarize' } });
    const { messages: output } = apply(messages, draft.edits());
    expect(readHandoff(output[0] as Message)?.rest).toBe('three');
    expect(output[1]).toBe(german);
    expect(output).toHaveLength(2);
  });

  it('in one text with quoted harness text, so that the request is still recognized', () => {
    const messages = [system, user('migrate it all'), reply, user('OBSERVATION:\n$ ls\nsrc'), ...exchange('a')];
    const { output } = placed(messages, [1, 3]);
    expect(output[1]!.content).toBeTypeOf('string');
    expect(readHandoff(output[1]!)?.rest).toBe(
      '<harness-message>\nOBSERVATION:\n$ ls\nsrc\n</harness-message>\n\nmigrate it all',
    );
    expect(transcriptOf(output).task).toEqual({ from: 1, to: 2 });
    expect(contentText(harnessReader.separateSpeech(output[1]!).said!.content)).toBe('migrate it all');
  });

  it('in one text with a quoted forgery of a handoff, so that the request is still recognized', () => {
    const forged = writeHandoff('notes').replace('notes', 'other');
    const { output } = placed([system, user('migrate it all'), user(forged), ...exchange('a')], [1, 2]);
    expect(output[1]!.content).toContain('other');
    expect(transcriptOf(output).task).toEqual({ from: 1, to: 2 });
    expect(contentText(harnessReader.separateSpeech(output[1]!).said!.content)).toBe('migrate it all');
  });

  it("in place of an earlier handoff, whose message keeps the user's words", () => {
    const earlier: Message = { role: 'user', content: prependHandoff(writeHandoff('old notes'), 'go on') };
    const { output } = placed([system, earlier, ...exchange('a'), ...exchange('b')], [1, 3]);
    expect(readHandoff(output[1]!)).toEqual({ version: 1, body: 'notes', rest: 'go on' });
    expect(JSON.stringify(output)).not.toContain('old notes');
  });
});

describe('a tail may start', () => {
  it('anywhere except where two user turns would be adjacent', () => {
    // user, reply, user, exchange, user: a handoff before the last exchange would be followed by a user turn.
    const messages = [user('one'), reply, user('two'), ...exchange('a'), user('three'), reply];
    expect([...tailStarts(transcriptOf(messages))]).toEqual([1, 1, 0, 0, 1, 1, 1]);
  });

  it('in the dialect of OpenAI also between two user turns, unless an answer separates them or there is only one', () => {
    const flags = (...messages: Message[]): number[] => [...tailStarts(transcriptOf(messages), 'openai')];
    expect(flags(user('one'), ...exchange('a'), ...exchange('b'), user('two'))).toEqual([1, 1, 1, 1, 1]);
    expect(flags(...exchange('a'), ...exchange('b'), user('one'), reply)).toEqual([0, 0, 1, 1, 1]);
    const [calling, result] = exchange('a') as [Message, Message];
    expect(flags(user('one'), calling, reply, result, ...exchange('b'), user('two'), reply)).toEqual([
      1, 1, 0, 1, 1, 1,
    ]);
    // With a stray result between them, the answer cannot lead in to the call.
    const rounds = [...exchange('b'), ...exchange('c'), user('two'), reply];
    expect(flags(user('one'), reply, ...rounds)[2]).toBe(2);
    expect(flags(user('one'), reply, result, ...rounds)[3]).toBe(0);
  });

  it('at the pending tool calls, also if a reminder follows them', () => {
    const long = { ...reply, content: 'I will look at all of them. '.repeat(200) };
    const pending = (...before: Message[]): number[] => {
      const messages = [...before, ...exchange('a'), ...exchange('b'), user('a reminder')];
      return ['strict', 'openai'].map((dialect) => {
        const transcript = transcriptOf(messages);
        return tailStarts(transcript, dialect as 'strict')[transcript.groupOf(transcript.pendingCalls!.from)]!;
      });
    };
    expect(pending(user('one'))).toEqual([1, 1]);
    expect(pending(user('one'), long)).toEqual([2, 2]);
    // A strict template would see two user turns in a row that the input does not have.
    expect(pending()).toEqual([0, 1]);
  });

  it('at the end of everything, and in an empty transcript', () => {
    expect([...tailStarts(transcriptOf([]))]).toEqual([1]);
  });

  it('nearest to the wanted start: before it as far as accepted, else after it, else anywhere before it', () => {
    const messages = [user('one'), reply, user('two'), ...exchange('a'), user('three'), reply];
    const transcript = transcriptOf(messages);
    expect(alignTailStart(transcript, { wanted: 3, after: 0, accepts: () => true })).toBe(1);
    expect(alignTailStart(transcript, { wanted: 3, after: 0, accepts: () => false })).toBe(4);
    expect(alignTailStart(transcript, { wanted: 5, after: 0, accepts: () => false })).toBe(5);
    expect(alignTailStart(transcript, { wanted: 99, after: 0, accepts: () => true })).toBe(6);
  });

  it('never after the pending tool calls, and nowhere if that cannot start a tail', () => {
    const underWay = transcriptOf([user('one'), reply, ...exchange('a')]);
    expect(alignTailStart(underWay, { wanted: 3, after: 0, accepts: () => true })).toBe(2);
    const [calling, result] = exchange('a') as [Message, Message];
    const interrupted = transcriptOf([user('one'), calling, user('wait'), result]);
    expect(alignTailStart(interrupted, { wanted: 1, after: 0, accepts: () => true })).toBe(0);
  });
});

describe('a head ends', () => {
  it('after an answer, or else after the leading system messages', () => {
    const transcript = transcriptOf([system, system, user('one'), ...exchange('a'), reply, user('two')]);
    expect([0, 1, 2, 3, 4, 5, 6, 99].map((limit) => headEnd(transcript, limit))).toEqual([2, 2, 2, 2, 2, 5, 5, 5]);
  });
});

describe('contents are joined', () => {
  it('as text with blank lines in between, or as parts if one has parts, without blank contents', () => {
    const image: Part = { type: 'image_url' };
    expect(joinContents(['one', ' ', 'two'])).toBe('one\n\ntwo');
    expect(joinContents([])).toBe('');
    expect(joinContents(['one', [image]])).toEqual([{ type: 'text', text: 'one' }, image]);
  });
});
