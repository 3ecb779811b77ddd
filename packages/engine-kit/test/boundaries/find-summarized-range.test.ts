import type { Message } from '@palimpsest/core';
import { Draft, Transcript, writeHandoff } from '@palimpsest/core/authoring';
import { assistant, call, callsWithResults, system, testHost, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import {
  findSummarizedRange,
  newestTurnsStart,
  type SummarizedRangeInput,
  tailTokensByGroup,
} from '../../src/index.ts';

const turn = (at: number): Message[] => [user(`Request ${at}`), assistant(`Reply ${at}`)];
const turns = (count: number): Message[] => Array.from({ length: count }, (_, at) => turn(at)).flat();

function inputFor(messages: readonly Message[], given: Partial<SummarizedRangeInput> = {}): SummarizedRangeInput {
  const draft = new Draft(Transcript.of(messages, testHost().tokens));
  return { draft, head: 0, handoffAt: -1, wanted: 0, ceilingTokens: Infinity, force: false, ...given };
}

describe('findSummarizedRange', () => {
  it('summarizes from the head to the wanted tail start', () => {
    expect(findSummarizedRange(inputFor(turns(5), { head: 2, wanted: 6 }))).toEqual([2, 6]);
  });

  it('summarizes nothing if the tail reaches back to the head', () => {
    expect(findSummarizedRange(inputFor(turns(5), { head: 2, wanted: 2 }))).toBeNull();
  });

  it('summarizes about half of what fits if it is forced', () => {
    expect(findSummarizedRange(inputFor(turns(6), { wanted: 0, force: true }))).toEqual([0, 6]);
  });

  it('summarizes nothing if the tail would start after the latest group', () => {
    expect(findSummarizedRange(inputFor(turns(5), { wanted: 6, latest: 6 }))).toEqual([0, 6]);
    expect(findSummarizedRange(inputFor(turns(5), { wanted: 6, latest: 5 }))).toBeNull();
  });

  it('never summarizes the pending tool calls', () => {
    const messages = [...turns(3), user('Go.'), ...callsWithResults([call('a', 'terminal', {}), 'ok'])];
    expect(findSummarizedRange(inputFor(messages, { wanted: 99 }))![1]).toBeLessThanOrEqual(7);
  });

  it('rewrites an earlier handoff with nothing new only to meet a target', () => {
    const messages = [system('Be brief.'), user(writeHandoff('## Goal\nNone.')), assistant('Yes.'), ...turns(1)];
    const given = { head: 1, handoffAt: 1, wanted: 2 };
    expect(findSummarizedRange(inputFor(messages, given))).toBeNull();
    expect(findSummarizedRange(inputFor(messages, { ...given, shrink: true }))).toEqual([1, 2]);
  });
});

describe('tailTokensByGroup', () => {
  it('returns the tokens from each group to the end, by the given weights', () => {
    const messages = [user('a'), ...callsWithResults([call('a', 'terminal', {}), 'ok']), assistant('b')];
    const draft = new Draft(Transcript.of(messages, testHost().tokens));
    expect([...tailTokensByGroup(draft, () => 1)]).toEqual([4, 3, 1, 0]);
    expect(tailTokensByGroup(draft)[0]).toBe(draft.tokens);
  });
});

describe('newestTurnsStart', () => {
  it('counts requests in a row as one turn, and returns 0 for more turns than there are', () => {
    const { isFromPerson, tokens } = testHost();
    const transcript = Transcript.of([...turns(2), user('One.'), user('Two.'), assistant('Both.')], tokens);
    expect([1, 2, 3, 4].map((count) => newestTurnsStart(transcript, isFromPerson, count))).toEqual([4, 2, 0, 0]);
  });
});
