import type { EngineHost, Message } from '@palimpsest/core';
import { createEngine, validateOptions } from '@palimpsest/core/authoring';
import { pruneCompactOptions, pruneCompactPlanner } from '@palimpsest/prune-compact';
import {
  assistant,
  call,
  createScriptedSummarizer,
  image,
  result,
  type ScriptedSummarizer,
  system,
  testHost,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { beforeAll, describe, expect, it } from 'vitest';
import type { HandoffLine, Inspection } from '../../src/inspect/inspection.ts';
import { readHandoffs } from '../../src/inspect/read-handoffs.ts';
import type { Session } from '../../src/session.ts';
import { compressorOn, filler, makeSession } from '../make-session.ts';
import { memoryStore } from '../persistence/memory-store.ts';

const key = 'a key of this test, which signs the same handoffs in every session';
const rounds = 5;
const turnsPerRound = 9;

/** A turn of a coding session: the agent reads a file, edits it, runs the tests and reports. */
function codingTurn(at: number): Message[] {
  const file = `src/part-${at % 7}.ts`;
  return [
    user(`Task ${at}: make part ${at % 7} faster, and keep the name widget_${at}.`),
    assistant(null, call(`r${at}`, 'read_file', { path: file })),
    result(`r${at}`, filler(300, `read${at}`)),
    assistant(`I will cache widget_${at}.`, call(`e${at}`, 'edit_file', { path: file, old: 'a', new: `widget_${at}` })),
    result(`e${at}`, 'The file was edited.'),
    assistant(null, call(`t${at}`, 'bash', { command: 'npm test' })),
    result(`t${at}`, `${filler(60, `log${at}`)}\nTests: ${at} failed, 40 passed, 40 total`),
    assistant(`Task ${at} is done: widget_${at} is cached.`),
  ];
}

const history: readonly Message[] = [
  system('You are a coding agent.'),
  ...Array.from({ length: rounds * turnsPerRound }, (_, at) => codingTurn(at)).flat(),
];
const upTo = (round: number): readonly Message[] => history.slice(0, 1 + round * turnsPerRound * 8);

const engines: Readonly<Record<string, (host: EngineHost, summarizer?: ScriptedSummarizer) => unknown>> = {
  compressor: (host, summarizer) =>
    compressorOn(host, summarizer, { threshold: 0.5, minimumThreshold: 0, tail: { tokens: 1_500 } } as object),
  'prune-compact': (host, summarizer) => {
    const own = { ...host, summarizer };
    return createEngine(pruneCompactPlanner(validateOptions(pruneCompactOptions, {}, 'this test'), own), own, {
      name: 'prune-compact',
    });
  },
};

/** The text of a message, with its calls. */
const textOf = (at: number): string => JSON.stringify(history[at]);
/** The words of a line that few messages have. */
const keyWords = (text: string): string[] => text.match(/Task \d+|widget_\d+|part-\d|(?:read|log)\d+:\d+/g) ?? [];
const isLog = ({ section }: HandoffLine): boolean => section?.includes('User') ?? false;

describe.each([
  ['compressor', 'rules'],
  ['compressor', 'a model'],
  ['prune-compact', 'rules'],
  ['prune-compact', 'a model'],
] as const)('a session on %s with summaries by %s, after five compactions', (name, writer) => {
  const store = memoryStore();
  const open = (): Session =>
    makeSession({
      window: 40_000,
      key,
      store,
      engine: (host) =>
        engines[name]!(host, writer === 'rules' ? undefined : createScriptedSummarizer(writeShortSummary)) as never,
    }).session;
  const session = open();
  let earlier: Inspection;
  let inspection: Inspection;

  beforeAll(async () => {
    for (let round = 1; round <= rounds; round++) {
      if (round === rounds) earlier = await session.inspect(history);
      expect(await session.compact({ messages: upTo(round) })).toMatchObject({ noop: false });
    }
    inspection = await session.inspect(history);
  });

  it('tells one outcome of every message, with its text before and after', async () => {
    expect(inspection.messages.map(({ index }) => index)).toEqual([...history.keys()]);
    const { messages, info } = await session.beforeRequest(history);
    expect(inspection.messages.map(({ outcome }) => outcome)).toEqual(info.provenance.source.map(({ kind }) => kind));
    expect(new Set(inspection.messages.map(({ outcome }) => outcome)).size).toBeGreaterThan(1);
    for (const { index, outcome, by, before, after, handoff, reasons } of inspection.messages) {
      const { content } = history[index]!;
      if (typeof content === 'string') expect(before).toContain(content);
      expect(by).toBe(outcome === 'kept' ? null : 'engine');
      expect(reasons.length > 0).toBe(outcome !== 'kept');
      if (outcome === 'kept') expect(after).toBe(before);
      if (outcome === 'rewritten') expect(after!.length).toBeLessThan(before.length);
      if (outcome === 'summarized') expect([after, handoff]).toEqual([null, 0]);
      if (outcome === 'carried') expect(after).toBe(content);
    }
    const [handoff] = inspection.handoffs;
    const text = String(messages[handoff!.at]!.content).split('\n');
    for (const { line, text: own } of handoff!.lines) expect(text[line]).toBe(own);
  });

  it('gives the messages of every line that has a source, and they contain its key words', () => {
    const lines = inspection.handoffs.flatMap((handoff) => handoff.lines);
    const sourced = lines.filter(({ from }) => from !== null);
    expect(sourced.length).toBeGreaterThan(20);
    for (const { text, from } of sourced) {
      const sources = from!.map(textOf).join('\n');
      for (const word of keyWords(text)) expect(sources, text).toContain(word);
    }
    for (const { index, lines: own } of inspection.messages)
      expect(own).toEqual(sourced.filter(({ from }) => from!.includes(index)));
  });

  it('shows the newest summarized messages of the user in the log', () => {
    const asked = inspection.messages.filter(({ role, outcome }) => role === 'user' && outcome === 'summarized');
    const isShown = asked.map(({ lines: own }) => own.some((line) => isLog(line) && /^\d+\. /.test(line.text)));
    expect(asked.length).toBeGreaterThan(20);
    expect(isShown.filter(Boolean).length).toBeGreaterThan(10);
    expect(isShown.slice(isShown.indexOf(true))).not.toContain(false);
    for (const { before, lines: own } of asked)
      for (const { text } of own.filter((line) => isLog(line) && /^\d+\. /.test(line.text)))
        expect(text).toContain(before.slice(0, 40));
  });

  it('is the same after a restart, and after an undo the one before', async () => {
    const again = open();
    expect(await again.inspect(history)).toEqual(inspection);
    await again.undo();
    expect(await again.inspect(history)).toEqual(earlier);
  });
});

describe('inspecting a session', () => {
  it('that has compacted nothing tells that every message is kept', async () => {
    const { session } = makeSession();
    const messages = [user('Hello.'), assistant('Hello, what can I do?'), user('Look at this.')];
    await session.beforeRequest(messages);
    const { compaction, engine, handoffs, messages: all } = await session.inspect();
    expect([compaction, engine, handoffs]).toEqual([null, 'compressor', []]);
    expect(all.map(({ outcome, after }) => [outcome, after])).toEqual(messages.map(({ content }) => ['kept', content]));
  });

  it('tells what the session itself changed', async () => {
    const { session } = makeSession();
    const picture = user([{ type: 'text', text: 'Look.' }, image('data:image/png;base64,iVBORw0KGgo=')] as never);
    const { messages } = await session.inspect([
      picture,
      assistant(null, call('a', 'read_file', { path: 'a.ts' })),
      result('b', 'the result of a call that nobody made'),
      user('Go on.'),
    ]);
    expect(messages[0]!.before).toBe('Look.\n[image_url]');
    expect(messages[1]!.before).toBe('read_file({"path":"a.ts"})');
    expect(messages[2]).toMatchObject({ outcome: 'dropped', by: 'session', after: null, handoff: null });
  });

  it('is refused for what is not a conversation', async () => {
    const { session } = makeSession();
    await expect(session.inspect([null] as never)).rejects.toMatchObject({ code: 'MESSAGES_INVALID' });
  });
});

describe('readHandoffs', () => {
  it('reads the lines of an engine’s result, with the messages that each comes from', async () => {
    const engine = compressorOn(testHost(), undefined, {
      threshold: 0.5,
      minimumThreshold: 0,
      tail: { tokens: 1_500 },
    } as object);
    await engine.updateModel({ id: 'model', contextLength: 16_000 });
    const result = await engine.compress(history);
    const [handoff, ...others] = readHandoffs(result);
    expect(others).toEqual([]);
    const text = String(result.messages[handoff!.at]!.content);
    expect(handoff!.lines.map(({ line, text: own }) => [line, own])).toEqual(
      handoff!.lines.map(({ line }) => [line, text.split('\n')[line]]),
    );
    const sourced = handoff!.lines.filter(({ from }) => from !== null);
    expect(sourced.length).toBeGreaterThan(3);
    for (const { from, text: line } of sourced)
      for (const word of keyWords(line)) expect(from!.map(textOf).join()).toContain(word);
  });
});
