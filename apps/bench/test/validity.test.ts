import type { Message } from '@palimpsest/core';
import { strictCheck } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { describe, expect, it } from 'vitest';
import { knownInput, Ledger } from '../src/validity/ledger.ts';

const counter = createTokenCounter();
const call = (id: string): Message => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }],
});
const result = (id: string): Message => ({ role: 'tool', tool_call_id: id, content: 'text' });
const input: readonly Message[] = [
  { role: 'user', content: 'Find the fault.' },
  call('a'),
  result('a'),
  { role: 'assistant', content: 'It is in parse.ts.' },
  { role: 'user', content: 'Mend it, please.' },
  call('b'),
  result('b'),
];

function ledgerOf(output: readonly Message[], from = input): Ledger {
  const ledger = new Ledger();
  ledger.add('a test', knownInput(from, counter), { output, sources: new Map() });
  return ledger;
}

describe('the ledger of outputs', () => {
  it('finds no fault in an unchanged input', () => {
    const ledger = ledgerOf(input);
    expect(ledger.violations).toBe(0);
    expect([ledger.withRequest, ledger.requestKept]).toEqual([1, 1]);
    expect([...ledger.wire.values()].every(({ clean, flawed }) => clean + flawed <= 1)).toBe(true);
  });

  it('reports a result without its call in each dialect', () => {
    const ledger = ledgerOf([input[0]!, input[2]!, ...input.slice(3)]);
    for (const name of [
      'OpenAI chat: tool pairs, JSON, empty messages',
      'tool pairs, checked independently',
      'Anthropic Messages, encoded by formats',
    ])
      expect(ledger.wire.get(name), name).toMatchObject({ clean: 1, cleanBroken: 1 });
    expect(ledger.examples[0]).toContain('a test: result-orphan');
  });

  it('reports roles that do not alternate, and a changed request', () => {
    const changed = [...input.slice(0, 4), { role: 'assistant', content: 'And.' } as Message, ...input.slice(4)];
    const ledger = ledgerOf(changed.map((one) => (one === input[4] ? { ...one, content: 'Mend it.' } : one)));
    for (const name of ['Anthropic: roles alternate', 'strict chat templates', 'Mistral-style chat template'])
      expect(ledger.wire.get(name), name).toMatchObject({ clean: 1, cleanBroken: 1 });
    expect(ledger.requestKept).toBe(0);
  });

  it('ignores faults that the input had on the same messages, and reports new ones', () => {
    const flawed: readonly Message[] = [{ role: 'user', content: 'First of all:' }, ...input];
    expect(ledgerOf(flawed, flawed).violations).toBe(0);
    const worse = [...flawed.slice(0, 5), { role: 'assistant', content: 'And.' } as Message, ...flawed.slice(5)];
    expect(ledgerOf(worse, flawed).wire.get('Anthropic: roles alternate')).toMatchObject({
      flawed: 1,
      flawedBroken: 1,
    });
  });

  it('judges strict chat templates on a flawed input in the strict dialect only', () => {
    const flawed: readonly Message[] = [{ role: 'user', content: 'First of all:' }, ...input];
    const worse = [...flawed.slice(0, 5), { role: 'assistant', content: 'And.' } as Message, ...flawed.slice(5)];
    expect(ledgerOf(worse, flawed).wire.get('strict chat templates')).toBeUndefined();
    const ledger = new Ledger();
    const { name, faultsOf } = strictCheck;
    ledger.judge('it', name, faultsOf(flawed), faultsOf(worse));
    expect(ledger.wire.get(name)).toMatchObject({ flawed: 1, flawedBroken: 1 });
  });

  it('counts a compression that throws', async () => {
    const ledger = new Ledger();
    await ledger.attempt('it', async () => {
      throw new Error('no');
    });
    expect(ledger.violations).toBe(1);
  });
});
