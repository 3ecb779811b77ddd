import { PalimpsestError } from '@palimpsest/core';
import { createEngine } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { type CreateEngine, type EngineCase, engineCases } from '../src/index.ts';
import { brokenEngines } from './broken-engines.ts';
import { dropOldest } from './drop-oldest.ts';

const [first] = engineCases();

describe('engineCases', () => {
  it('leaves out cases that are skipped by name with a reason', () => {
    const names = engineCases({ skip: { [first!.name]: 'it is tested elsewhere' } }).map(({ name }) => name);
    expect(names).not.toContain(first!.name);
    expect(names).toHaveLength(engineCases().length - 1);
  });

  it('rejects an unknown case in skip and lists the known ones', () => {
    let error: unknown;
    try {
      engineCases({ skip: { 'invariant 11': 'why not' } });
    } catch (thrown) {
      error = thrown;
    }
    expect(PalimpsestError.is(error) && error.code).toBe('OPTION_INVALID');
    expect(String(error)).toContain(first!.name);
  });

  it('rejects a skip without a reason', () => {
    expect(() => engineCases({ skip: { [first!.name]: ' ' } })).toThrow('without a reason');
  });

  it('has one case for each of the ten invariants', () => {
    const numbers = engineCases().flatMap(({ name }) => /^invariant (\d+):/.exec(name)?.[1] ?? []);
    expect(numbers).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
  });
});

describe('a case failure', () => {
  /** Throws on developer messages. No fixed example has one, so that only generated transcripts fail. */
  const failsOnDeveloper: CreateEngine = (host) => {
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
      { name: 'fails-on-developer' },
    );
  };
  const failureOf = (testCase: EngineCase | undefined, create: CreateEngine): Promise<string> =>
    testCase!.run(create).then(
      () => '',
      (error: Error) => error.message,
    );

  it('names the case and the message, with an outline instead of transcript text', async () => {
    const five = engineCases({ runs: 5 }).find(({ name }) => name.startsWith('invariant 5:'));
    const message = await failureOf(five, brokenEngines['stubs a pending result']!.create);
    expect(message).toMatch(/^invariant 5: .*\n.*message \d+/);
    expect(message).toContain('messages: 0 system 23, 1 user');
    expect(message).not.toContain('coding agent');
    expect(message.length).toBeLessThan(2_500);
  });

  it('for a generated transcript is shrunk, and its seed and path reproduce it', async () => {
    const message = await failureOf(engineCases({ runs: 300, seed: 5 })[0], failsOnDeveloper);
    expect(message).toContain('what is a developer?');
    expect(Number(/(\d+) messages/.exec(message)?.[1])).toBeLessThan(6);
    const [, seed, path] = /seed: (-?\d+), path: '([\d:]+)'/.exec(message)!;
    const again = await failureOf(engineCases({ seed: Number(seed), path })[0], failsOnDeveloper);
    expect(again.split('\n').slice(0, 3)).toEqual(message.split('\n').slice(0, 3));
  });
});
