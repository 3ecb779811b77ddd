import { PalimpsestError } from '@palimpsest/core';
import { createEngine } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { type CreateEngine, type EngineCase, engineCases, plannerCases } from '../src/index.ts';
import { brokenEngines } from './broken-engines.ts';
import { dropOldest } from './drop-oldest.ts';

const [first] = engineCases();

describe('the list of cases', () => {
  it('leaves out what is skipped by name and with a reason', () => {
    const names = engineCases({ skip: { [first!.name]: 'it is tested elsewhere' } }).map(({ name }) => name);
    expect(names).not.toContain(first!.name);
    expect(names).toHaveLength(engineCases().length - 1);
  });

  it('refuses to skip a case that does not exist, and names those that do', () => {
    let error: unknown;
    try {
      engineCases({ skip: { 'invariant 11': 'why not' } });
    } catch (thrown) {
      error = thrown;
    }
    expect(PalimpsestError.is(error) && error.code).toBe('OPTION_INVALID');
    expect(String(error)).toContain(first!.name);
  });

  it('refuses a skip without a reason', () => {
    expect(() => engineCases({ skip: { [first!.name]: ' ' } })).toThrow('without a reason');
  });

  it('holds all ten invariants, each once', () => {
    const numbers = engineCases().flatMap(({ name }) => /^invariant (\d+):/.exec(name)?.[1] ?? []);
    expect(numbers).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  });
});

describe('a failure', () => {
  /** Stumbles over developer messages, which no example has, so that its failure is a generated one. */
  const stumbling: CreateEngine = (host) => {
    const planner = dropOldest(host);
    return createEngine(
      {
        ...planner,
        plan(input) {
          if (input.transcript.messages.some(({ role }) => role === 'developer'))
            throw new Error('what is a developer?');
          return planner.plan(input);
        },
      },
      host,
      { name: 'stumbling' },
    );
  };
  const failureOf = (testCase: EngineCase | undefined, create: CreateEngine): Promise<string> =>
    testCase!.run(create).then(
      () => '',
      (error: Error) => error.message,
    );

  it('says which promise broke and at which message, on a sketch without a word of the transcript', async () => {
    const five = engineCases({ runs: 5 }).find(({ name }) => name.startsWith('invariant 5:'));
    const message = await failureOf(five, brokenEngines['stubs a result under way']!.create);
    expect(message).toMatch(/^invariant 5: .*\n.*message \d+/);
    expect(message).toContain('messages: 0 system 23, 1 user');
    expect(message).not.toContain('coding agent');
    expect(message.length).toBeLessThan(2_500);
  });

  it('of a generated transcript is small, and is seen again by its seed and path', async () => {
    const message = await failureOf(engineCases({ runs: 300, seed: 5 })[0], stumbling);
    expect(message).toContain('what is a developer?');
    expect(Number(/(\d+) messages/.exec(message)?.[1])).toBeLessThan(6);
    const [, seed, path] = /seed: (-?\d+), path: '([\d:]+)'/.exec(message)!;
    const again = await failureOf(engineCases({ seed: Number(seed), path })[0], stumbling);
    expect(again.split('\n').slice(0, 3)).toEqual(message.split('\n').slice(0, 3));
  });
});

describe('the cases of planners', () => {
  const failing = async (create: Parameters<ReturnType<typeof plannerCases>[number]['run']>[0]): Promise<string[]> => {
    const failed: string[] = [];
    for (const { name, run } of plannerCases({ runs: 30, seed: 7 })) await run(create).catch(() => failed.push(name));
    return failed;
  };
  it('find edits and states that JSON cannot hold', async () => {
    const edits = await failing((host) => ({
      ...dropOldest(host),
      plan: async ({ state }) => ({
        edits: [{ kind: 'rewrite', at: 0, set: { content: new Date(0) as never }, reasons: [] }],
        state,
      }),
    }));
    expect(edits).toEqual(['a plan is JSON: its edits read back from text are the same']);
    const states = await failing((host) => ({
      ...dropOldest(host),
      plan: async () => ({ edits: [], state: new Map([[1, 2]]) as never }),
    }));
    expect(states).toEqual(['the state of a plan is JSON']);
  });

  it('find a plan that differs from one time to the next', async () => {
    let count = 0;
    const failed = await failing((host) => ({
      ...dropOldest(host),
      plan: async () => ({ edits: [], state: { passes: ++count } }),
    }));
    expect(failed).toEqual(['the same transcript, request and state give the same plan']);
  });

  it('find a planner that changes what it was given', async () => {
    const failed = await failing((host) => ({
      ...dropOldest(host),
      async plan({ transcript, state }) {
        if (transcript.messages.length > 0) Object.assign(transcript.messages[0]!, { seen: true });
        return { edits: [], state };
      },
    }));
    expect(failed).toContain('planning changes neither messages nor state');
  });
});
