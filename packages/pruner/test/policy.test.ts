import { isFromPerson } from '@palimpsest/agents';
import { type Message, PalimpsestError } from '@palimpsest/core';
import { assistant, call, callsWithResults, quarterCounter, result, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { adaptiveProtect, cacheAware, defineTool, type PrunePolicy, prune, pruneOnAppend, stub } from '../src/index.ts';
import { lines, stubOf } from './stub-line.ts';

const log = lines(400);
const size = quarterCounter.countMessage(result('1', log));
const read = (id: string, tool = 'Read'): Message[] =>
  callsWithResults([call(id, tool, { file_path: `/${id}.ts` }), `${id}${log}`.slice(0, log.length)]);
const policy = (own: PrunePolicy): PrunePolicy => ({
  protect: { tokens: 0 },
  minimum: 0,
  keepTurns: 0,
  tokens: quarterCounter,
  ...own,
});
/** Returns for each tool result whether it was stubbed. */
function stubbed(messages: readonly Message[], own: PrunePolicy): boolean[] {
  return prune(messages, policy(own))
    .messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => (content as string).length <= 200);
}
const turn = (name: string, ...exchanges: Message[][]): Message[] => [
  user(name),
  ...exchanges.flat(),
  assistant('Done.'),
];

describe('protection', () => {
  const messages = turn('Go.', read('1'), read('2'), read('3'), read('4'));
  it('keeps the newest tokens of tool output; a result that exceeds them is old', () => {
    expect(stubbed(messages, { protect: { tokens: 2 * size } })).toEqual([true, true, false, false]);
    expect(stubbed(messages, { protect: { tokens: 2 * size - 1 } })).toEqual([true, true, true, false]);
  });
  it('prunes only as far as a target needs, and keeps the newest results that fit', () => {
    const whole = messages.reduce((sum, message) => sum + quarterCounter.countMessage(message), 0);
    expect(stubbed(messages, { targetTokens: whole })).toEqual([false, false, false, false]);
    expect(stubbed(messages, { targetTokens: whole - 10 })).toEqual([true, false, false, false]);
    expect(stubbed(messages, { targetTokens: whole - size })).toEqual([true, true, false, false]);
    expect(stubbed(messages, { targetTokens: 0 })).toEqual([true, true, true, true]);
    const { report } = prune(messages, policy({ targetTokens: whole - 10 }));
    expect(report.strategies.stub?.count).toBe(1);
    expect(() => prune(messages, policy({ targetTokens: -1 }))).toThrow(PalimpsestError);
  });
  it('leaves messages before an index unchanged', () => {
    expect(stubbed(messages, { from: 5 })).toEqual([false, false, true, true]);
    expect(() => prune(messages, policy({ from: -1 }))).toThrow(PalimpsestError);
  });
  it('keeps the last turns whole, two by default', () => {
    const chat = [...turn('One', read('1')), ...turn('Two', read('2')), ...turn('Three', read('3'))];
    expect(stubbed(chat, { keepTurns: undefined })).toEqual([true, false, false]);
    expect(stubbed(chat, { keepTurns: 1 })).toEqual([true, true, false]);
  });
  it('counts tool exchanges if no turn is older than those to keep, unless that is off', () => {
    expect(stubbed(messages, { keepTurns: undefined })).toEqual([true, true, false, false]);
    expect(stubbed(messages, { keepTurns: 3 })).toEqual([true, false, false, false]);
    expect(stubbed([...turn('Zero', read('0')), ...messages], { keepTurns: 2 })).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(stubbed(messages, { keepTurns: 1, stepsForTurns: false })).toEqual([false, false, false, false]);
    expect(stubbed(messages, { keepTurns: 2, protect: { transcript: 0, messages: 3 } })).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
  it('counts every user message as a turn, or only requests if the host recognizes them', () => {
    const chat = [
      ...turn('One', read('1')),
      ...turn('Two', read('2')),
      user('[Request interrupted by user]'),
      assistant('Yes.'),
    ];
    expect(stubbed(chat, { keepTurns: 1 })).toEqual([true, true]);
    expect(stubbed(chat, { keepTurns: 2 })).toEqual([true, false]);
    expect(stubbed(chat, { keepTurns: 1, isFromPerson })).toEqual([true, false]);
    const run = [...turn('One', read('1')), user('Two'), ...turn('and more', read('2'))];
    expect(stubbed(run, { keepTurns: 2, isFromPerson })).toEqual([false, false]);
    expect(stubbed(run, { keepTurns: 2 })).toEqual([true, false]);
  });
  it('keeps the newest tokens of everything and a minimum of messages in the compressor style', () => {
    expect(stubbed(messages, { protect: { transcript: 2 * size + 200, messages: 3 } })).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(stubbed(messages, { protect: { transcript: 0, messages: 3 }, strategies: [stub] })).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(stubbed(messages, { protect: { transcript: 0, messages: 99 }, strategies: [stub] })).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });
  it('never prunes results or calls of protected tools', () => {
    const own = [
      ...turn('Go.', read('1', 'skill'), read('2', 'mcp__planner__todo'), read('3', 'memory_search'), read('4')),
    ];
    expect(stubbed(own, {})).toEqual([false, false, true, true]);
    expect(stubbed(own, { protectTools: ['mem*'] })).toEqual([true, true, false, true]);
  });
});

describe('a session smaller than the protection', () => {
  it('is unchanged by default, and the report names the protection, not the minimum', () => {
    const messages = turn('Go.', ...Array.from({ length: Math.ceil(19_000 / size) }, (_, at) => read(`r${at}`)));
    const { messages: output, report } = prune(messages, { tokens: quarterCounter });
    expect(output).toBe(messages);
    expect(report).toMatchObject({ committed: false, reason: 'protected' });
    expect(report.message).toContain('`protect`: the newest 40,000 tokens of tool output');
    expect(report.message).toContain('adaptive');
    const scaled = prune(messages, { tokens: quarterCounter, adaptive: { contextLength: 16_000 } });
    expect(scaled.report.reason).toBe('pruned');
  });
});

describe('the minimum', () => {
  const messages = turn('Go.', read('1'));
  it('is 20,000 tokens by default, and is stated in the report', () => {
    const { messages: output, report } = prune(messages, policy({ minimum: undefined }));
    expect(output).toBe(messages);
    expect(report).toMatchObject({ committed: false, reason: 'below-minimum', reclaimedTokens: 0 });
    expect(report.reclaimableTokens).toBeGreaterThan(1_000);
    expect(report.message).toMatch(/less than the minimum of 20,000\.$/);
  });
  it('is half of the adaptive protection', () => {
    // Stubbing the one old result reclaims a little less than half of the protection.
    const adaptive = { contextLength: (2 * size - 20) * 3.2 };
    const own = { protect: undefined, minimum: undefined, adaptive };
    const { report } = prune(turn('Go.', read('1'), read('2')), policy(own));
    expect(report.message).toContain(`less than the minimum of ${(size - 10).toLocaleString('en-US')}.`);
    expect(prune(turn('Go.', read('1'), read('2'), read('3')), policy(own)).report.committed).toBe(true);
  });
  it('and the protection can be set explicitly along with an adaptive policy', () => {
    const own = { adaptive: { contextLength: 1_000_000 }, protect: { tokens: 0 }, minimum: 1 };
    expect(prune(messages, policy(own)).report.committed).toBe(true);
  });
});

it.each([
  [0, 0],
  [16_000, 5_000],
  [32_000, 10_000],
  [80_000, 25_000],
  [128_000, 40_000],
  [564_000, 70_000],
  [1_000_000, 100_000],
  [2_000_000, 100_000],
])('a window of %i tokens protects %i', (window, protect) => {
  expect(adaptiveProtect(window)).toBe(protect);
});

it.each<[string, PrunePolicy, string]>([
  ['protect.tokens', { protect: { tokens: -1 } }, 'number'],
  ['keepTurns', { keepTurns: 1.5 }, 'whole number'],
  ['protect.transcript', { protect: { transcript: Number.NaN } }, 'number'],
  ['minimum', { minimum: Number.POSITIVE_INFINITY }, 'number'],
  ['adaptive.contextLength', { adaptive: { contextLength: '128K' as unknown as number } }, 'number'],
])('an invalid %s is rejected by name', (option, own, expected) => {
  const attempt = (): unknown => prune([], own);
  expect(attempt).toThrow(new RegExp(`${option.replace('.', '\\.')}: expected a ${expected} of 0 or more; given: `));
  try {
    attempt();
  } catch (error) {
    expect(PalimpsestError.is(error) && error.code).toBe('OPTION_INVALID');
  }
});

it.each(['constructor', '__proto__', 'toString'])('a strategy named %s is reported like any other', (name) => {
  const { strategies } = prune(turn('Go.', read('1')), policy({ strategies: [{ ...stub, name }] })).report;
  expect(Object.entries(strategies)).toEqual([[name, { count: 1, reclaimedTokens: expect.any(Number) }]]);
});

it.each(['shell', 'constructor'])('a descriptor with the unknown class %s is rejected by name', (kind) => {
  const tools = [defineTool({ match: 'read', class: kind as never })];
  expect(() => prune(turn('Go.', read('1')), policy({ tools }))).toThrow(
    `The tool descriptor for "Read" has the class "${kind}"; expected one of command, read,`,
  );
});

it('a pattern with the g flag matches every call', () => {
  const tools = [defineTool({ match: /read/g, class: 'read', stub: () => 'own' })];
  const results = prune(turn('Go.', read('1'), read('2'), read('3')), policy({ tools })).messages;
  expect(results.filter(({ content }) => content === '[Read] own')).toHaveLength(3);
});

describe('broken exchanges are left alone', () => {
  it.each<[string, Message[]]>([
    ['a call without a result', [assistant(null, call('1', 'Read'), call('2', 'Read')), result('1', log)]],
    ['a result without a call', [result('9', log)]],
    ['a result that answers another call', [assistant(null, call('1', 'Read')), result('9', log)]],
    ['a repeated id', [assistant(null, call('1', 'Read'), call('1', 'Read')), result('1', log), result('1', log)]],
    ['a message between call and result', [assistant(null, call('1', 'Read')), user('Wait.'), result('1', log)]],
  ])('%s', (_what, broken) => {
    const messages = [user('Go.'), ...broken, user('And?'), assistant('Done.')];
    expect(prune(messages, policy({})).messages).toBe(messages);
  });
});

describe('redaction', () => {
  const secret = 'sk-live-abcdefghijklmnopqrstuvwxyz0123456789';
  const redact = (text: string): string => text.replaceAll(/sk-live-[a-z0-9]{36}/g, '[REDACTED]');
  it('runs before text is cut, so that no half of a secret remains', () => {
    for (let at = 0; at < 120; at++) {
      const line = stubOf(
        'Bash',
        { command: `curl ${'x'.repeat(at)} ${secret}` },
        `Exit code 1\n${log}\nerror: ${'y'.repeat(at)} ${secret}`,
        { redact },
      );
      expect(line).not.toMatch(/sk-live/);
      expect(line.length).toBeLessThanOrEqual(200);
    }
  });
  it('never quotes encoded data, such as the middle of a key', () => {
    const key = lines(30, (number) => `MIIEpAIBAAKCAQEA${String(number).padStart(4, '0')}${'qB3'.repeat(15)}`);
    expect(stubOf('Bash', { command: 'cat id' }, `${key}\n-----END RSA PRIVATE KEY-----`)).toBe(
      '[Bash] ran `cat id` -> 31 lines output, removed: -----END RSA PRIVATE KEY-----',
    );
  });
});

describe('descriptors of own tools', () => {
  it('give a class to unknown names', () => {
    const tools = [defineTool({ match: 'sqlx', class: 'command' })];
    expect(stubOf('sqlx', { command: 'select 1' }, log, { tools })).toMatch(
      /^\[sqlx\] ran `select 1` -> 400 lines output/,
    );
  });
  it('can write the stub, which is put on one line, redacted and shortened', () => {
    const tools = [
      defineTool({
        match: /^deploy_/,
        class: 'generic',
        stub: ({ args, outcome }) => `to ${String(args.target)}:\n${outcome.output}`,
      }),
    ];
    const line = stubOf('deploy_site', { target: 'staging' }, log, { tools });
    expect(line).toMatch(/^\[deploy_site\] to staging: line 1 of the output line 2/);
    expect(line.length).toBeLessThanOrEqual(200);
  });
  it('are called once per result, however often it is planned', () => {
    let asked = 0;
    const tools = [defineTool({ match: 'Read', class: 'read', stub: () => `read ${++asked}` })];
    const messages = turn('Go.', read('1'), read('2'));
    const first = prune(messages, policy({ tools })).messages;
    expect(prune(messages, policy({ tools })).messages).toEqual(first);
    expect(asked).toBe(2);
    const others = [defineTool({ match: 'Read', class: 'read', stub: () => 'other' })];
    expect(prune(messages, policy({ tools: others })).messages.at(-2)!.content).toBe('[Read] other');
  });
  it('can keep a result', () => {
    expect(
      stubOf('ledger', {}, log, { tools: [defineTool({ match: 'led*', class: 'generic', stub: () => null })] }),
    ).toBe(log);
  });
});

it.each([
  '[Tool output pruned - was 9000 chars]',
  '[Old tool result content cleared]',
  '[Old tool output cleared to save context space]',
  `[Duplicate tool output \u2014 same content as a more recent call${' of it'.repeat(40)}]`,
])('the placeholder of another system is not stubbed: %s', (placeholder) => {
  expect(stubOf('Read', { file_path: '/a.ts' }, placeholder)).toBe(placeholder);
});

it('the plain placeholder states only the size', () => {
  expect(stubOf('Read', { file_path: '/a.ts' }, log, { placeholder: 'plain' })).toBe(
    `[Tool output pruned - was ${log.length} chars]`,
  );
});

describe('a policy that is not valid', () => {
  const messages = [user('Hi.')];
  const given = (value: unknown): PrunePolicy => value as PrunePolicy;

  it.each<[string, unknown, string]>([
    ['a number as protection', { protect: 4_000 }, 'protect: expected { tokens } of tool output'],
    ['a protection without a size', { protect: {} }, 'protect: expected { tokens } of tool output'],
    ['a misspelled part of the protection', { protect: { token: 4_000 } }, 'protect.token: unknown option.'],
    [
      'the name of a strategy',
      { strategies: ['dedupe'] },
      'strategies[0]: expected a strategy such as dedupe, not its name',
    ],
    ['a strategy instead of a list', { strategies: stub }, 'strategies: expected a list of strategies'],
    ['a misspelled option', { minimun: 0 }, 'minimun: unknown option. Did you mean "minimum"?'],
    ['another placeholder', { placeholder: '[cut]' }, "placeholder: expected 'stub' or 'plain'"],
    ['a text for a number', { minimum: '20k' }, 'minimum: expected a number of 0 or more'],
    ['half a turn', { keepTurns: 1.5 }, 'keepTurns: expected a whole number of 0 or more'],
    ['a number for the window', { adaptive: 128_000 }, 'adaptive: expected { contextLength } in tokens'],
    ['a window without a number', { adaptive: {} }, 'adaptive.contextLength: expected a number of 0 or more'],
    ['a text for a list', { protectTools: 'todo' }, 'protectTools: expected a list of tool names'],
    ['no function', { redact: true }, 'redact: expected a function; given: true'],
    ['no counter', { tokens: () => 1 }, 'tokens: expected a token counter'],
    ['a text for the policy', 'aggressive', 'options: expected a policy, such as'],
    ['nothing for the policy', null, 'options: expected a policy, such as'],
  ])('is refused with the name of the function: %s', (_, value, message) => {
    expect(() => prune(messages, given(value))).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringContaining(message) }),
    );
    expect(() => prune(messages, given(value))).toThrow(/ of prune (?:is|are) not valid:/);
  });

  it('names pruneOnAppend and cacheAware', () => {
    expect(() => pruneOnAppend(messages[0]!, { maximun: 3 } as never)).toThrow(/ of pruneOnAppend is not valid:/);
    expect(() => pruneOnAppend(messages[0]!, 3 as never)).toThrow(/ of pruneOnAppend is not valid:/);
    expect(() => cacheAware(undefined as never)).toThrow(/ of cacheAware is not valid:/);
  });
});
