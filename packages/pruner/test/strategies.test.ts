import type { Message } from '@palimpsest/core';
import {
  assistant,
  call,
  callsWithResults,
  customCall,
  image,
  quarterCounter,
  result,
  text,
  user,
} from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import {
  dedupe,
  images,
  type PrunePolicy,
  pressure,
  prune,
  type Strategy,
  shortenArguments,
  stub,
} from '../src/index.ts';
import { lines } from './stub-line.ts';

const alone = (strategy: Strategy, policy: PrunePolicy = {}): PrunePolicy => ({
  protect: { tokens: 0 },
  keepTurns: 0,
  minimum: 0,
  tokens: quarterCounter,
  strategies: [strategy],
  ...policy,
});
const read = (id: string, output: string): Message[] =>
  callsWithResults([call(id, 'Read', { file_path: '/a.ts' }), output]);
const contents = (messages: readonly Message[]): unknown[] =>
  messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
const log = lines(40);

describe('dedupe', () => {
  const all = { protect: { tokens: 100_000 } };
  it('keeps the newest of identical results and stubs the older ones, also in the protected part', () => {
    const messages = [user('Go.'), ...read('1', log), ...read('2', log), ...read('3', log), assistant('Done.')];
    const [first, second, third] = contents(prune(messages, alone(dedupe, all)).messages);
    expect(first).toMatch(/^\[Read\] read \/a\.ts \(\d+ chars, removed\): .*; the same output came again later$/);
    expect(second).toBe(first);
    expect(third).toBe(log);
  });
  it('compares every character', () => {
    const long = 'x'.repeat(30_000);
    const messages = [
      user('Go.'),
      ...read('1', `${long}a`),
      ...read('2', `${long}b`),
      ...read('3', `${long}a`),
      assistant('Done.'),
    ];
    expect(contents(prune(messages, alone(dedupe, all)).messages).slice(1)).toEqual([`${long}b`, `${long}a`]);
  });
  it('leaves short results alone', () => {
    const messages = [user('Go.'), ...read('1', 'x'.repeat(199)), ...read('2', 'x'.repeat(199)), assistant('Done.')];
    expect(prune(messages, alone(dedupe, all)).messages).toBe(messages);
  });
  it('never refers to a result that is stubbed itself', () => {
    const messages = [user('Go.'), ...read('1', log), ...read('2', log), assistant('Done.')];
    const { messages: output, report } = prune(messages, alone(dedupe, { strategies: [dedupe, stub] }));
    expect(report.strategies.dedupe!.count).toBe(0);
    expect(JSON.stringify(output)).not.toContain('came again later');
  });
  it('can refer to a result of the pending tool calls', () => {
    const messages = [user('Go.'), ...read('1', log), ...read('2', log)];
    const output = prune(messages, alone(dedupe)).messages;
    expect(output[2]!.content).toMatch(/came again later$/);
    expect(output[4]).toBe(messages[4]);
  });
});

describe('arguments', () => {
  const shorten = (input: string): string => {
    const messages = [user('Go.'), assistant(null, call('1', 'Write', input)), result('1', 'OK'), assistant('Done.')];
    const output = prune(messages, alone(shortenArguments, { protect: { tokens: 0 } })).messages;
    // The newest result that no longer fits the budget is old, and so is everything before it.
    return output[1]!.tool_calls![0]!.type === 'function' ? output[1]!.tool_calls![0]!.function.arguments : '';
  };
  it('keep the beginning of long strings, and every other byte', () => {
    const long = 'y'.repeat(900);
    expect(
      shorten(
        `{ "path": "/a.ts", "size": 12345678901234567890, "content": "${long}", "deep": [ {"old": "${long}"} ] }`,
      ),
    ).toBe(
      `{ "path": "/a.ts", "size": 12345678901234567890, "content": "${long.slice(0, 200)}...[truncated]", "deep": [ {"old": "${long.slice(0, 200)}...[truncated]"} ] }`,
    );
  });
  it('count decoded characters, and never split a surrogate pair', () => {
    const emoji = `x${'\u{1F600}'.repeat(300)}`;
    expect(JSON.parse(shorten(JSON.stringify({ content: emoji }))).content).toBe(
      `x${'\u{1F600}'.repeat(99)}...[truncated]`,
    );
    const quotes = '"\\'.repeat(150);
    expect(JSON.parse(shorten(JSON.stringify({ content: quotes, rest: 'z'.repeat(300) })))).toEqual({
      content: `${quotes.slice(0, 200)}...[truncated]`,
      rest: `${'z'.repeat(200)}...[truncated]`,
    });
  });
  it('keep long field names', () => {
    const input = JSON.stringify({ ['k'.repeat(600)]: 1 });
    expect(shorten(input)).toBe(input);
  });
  it('keep input that is not JSON', () => {
    const input = `{"content": "${'y'.repeat(900)}`;
    expect(shorten(input)).toBe(input);
  });
  it('keep the free text of a custom tool', () => {
    const messages = [
      user('Go.'),
      assistant(null, customCall('1', 'apply_patch', 'z'.repeat(2_000))),
      result('1', 'OK'),
      assistant('Done.'),
    ];
    expect(prune(messages, alone(shortenArguments)).messages).toBe(messages);
  });
});

describe('images', () => {
  it('are removed from user messages before the newest turn with pictures; the text next to them stays', () => {
    const messages = [
      user([text('First'), image()]),
      assistant('Seen.'),
      user([text('Second'), image()]),
      assistant('Seen.'),
      user('And now?'),
    ];
    const output = prune(messages, alone(images)).messages;
    expect(output[0]!.content).toEqual([text('First'), { type: 'text', text: '[image removed]' }]);
    expect(output[2]).toBe(messages[2]);
  });
  it('stay in the turns the policy keeps', () => {
    const messages = [user([text('First'), image()]), assistant('Seen.'), user([text('Second'), image()])];
    expect(prune(messages, alone(images, { keepTurns: 2 })).messages).toBe(messages);
  });
  it('are removed from old tool results before the text is stubbed', () => {
    const shot = callsWithResults([call('1', 'browser_screenshot', {}), [text(`Taken. ${log}`), image()]]);
    const messages = [user('Go.'), ...shot, assistant('Done.')];
    const policy = alone(images, { strategies: [stub, images] });
    const once = prune(messages, policy).messages;
    expect(once[2]!.content).toEqual([
      text(expect.stringMatching(/^\[browser_screenshot\] called/) as unknown as string),
      { type: 'text', text: '[image removed]' },
    ]);
    expect(prune(once, policy).messages).toBe(once);
  });
});

describe('pressure', () => {
  const turns = Array.from({ length: 6 }, (_, index) =>
    read(
      String(index),
      lines(100, (number) => `${index} ${number} of this`),
    ),
  ).flat();
  const messages = [user('Go.'), ...turns, assistant('Done.')];
  it('stubs inside the protected part, oldest first, when that part alone is over 1.5 times its budget', () => {
    const { messages: output, report } = prune(
      messages,
      alone(pressure, { protect: { transcript: 600, messages: 8 } }),
    );
    const stubbed = contents(output).map((content) => (content as string).startsWith('[Read]'));
    expect(stubbed).toEqual([false, false, true, true, false, false]);
    expect(report.strategies.pressure!.count).toBe(2);
  });
  it('never touches the last three messages', () => {
    const output = prune(messages, alone(pressure, { protect: { transcript: 0, messages: 8 } })).messages;
    expect(output.slice(-3)).toEqual(messages.slice(-3));
    expect(contents(output).at(-2)).toMatch(/^\[Read\]/);
  });
  it('prunes up to the pending tool calls, and to the given size', () => {
    const pending = messages.slice(0, -1);
    const shortened = (maxTokens: number): number =>
      prune(pending, alone(pressure, { protect: { transcript: 0, messages: 8, maxTokens } })).messages.filter(
        (message, at) => message !== pending[at],
      ).length;
    // Of the four protected exchanges, all but the pending one.
    expect(shortened(0)).toBe(3);
    expect(shortened(100_000)).toBe(0);
  });
  it('does nothing in the two-phase style, and below 1.5 times the budget', () => {
    expect(prune(messages, alone(pressure)).messages).toBe(messages);
    expect(prune(messages, alone(pressure, { protect: { transcript: 10_000 } })).messages).toBe(messages);
  });
});
