import { describe, expect, it } from 'vitest';
import { Draft, placeHandoff, Transcript } from '../src/authoring.ts';
import { apply, compose, type Edit, type LineSource, type Message, type TokenCounter } from '../src/index.ts';

const counter: TokenCounter = {
  countText: (text) => text.length,
  countMessage: ({ content }) => (typeof content === 'string' ? content.length : 0),
};
const long = 'something that was said at length. '.repeat(60);
const said = (at: number): Message => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: at === 9 ? 'short' : `${at}: ${long}`,
});
const history: readonly Message[] = Array.from({ length: 10 }, (_, at) => said(at));

/** Summarizes the first messages into a handoff. */
function summary(messages: readonly Message[], to: number, body: string, sources: readonly LineSource[]): Edit[] {
  const draft = new Draft(Transcript.of(messages, counter));
  placeHandoff(draft, [0, to], body, { reason: { code: 'summarize' }, sources });
  return draft.edits();
}

/** Returns the lines of a plan's handoffs, with their source messages. */
function told(edits: readonly Edit[]): (readonly [string, readonly number[]])[] {
  return edits.flatMap((edit) =>
    (edit.kind === 'replace' ? edit.with : []).flatMap(({ handoff, sources = [] }) => {
      const lines = handoff.split('\n');
      return sources.map(({ line, from }) => [lines[line]!, from] as const);
    }),
  );
}

describe('the sources of the lines of a handoff', () => {
  it('name the lines by their number in the whole handoff', () => {
    const edits = summary(history, 4, '## Log\n1. first\n  Agent: reply', [
      { line: 1, from: [0] },
      { line: 2, from: [1, 3] },
    ]);
    expect(told(edits)).toEqual([
      ['1. first', [0]],
      ['  Agent: reply', [1, 3]],
    ]);
  });

  it('are relative to the original messages after two plans, and a carried line keeps its source', () => {
    const first = summary(history, 4, 'one\ntwo', [{ line: 0, from: [2] }]);
    const middle = apply(history, first).messages as readonly Message[];
    const second = summary(middle, 3, 'two\none\nthree\nfour', [
      { line: 2, from: [2] },
      // The handoff itself is not a message of the history.
      { line: 3, from: [0] },
    ]);
    expect(told(compose(history, first, second))).toEqual([
      ['one', [2]],
      ['three', [6]],
    ]);
  });

  it('are kept when a later plan does not touch the handoff', () => {
    const first = summary(history, 4, 'one', [{ line: 0, from: [2] }]);
    const later: Edit = { kind: 'rewrite', at: 1, set: { content: 'cut' }, reasons: [{ code: 'stub' }] };
    expect(told(compose(history, first, [later]))).toEqual([['one', [2]]]);
  });

  it.each([
    [[{ line: 99, from: [0] }], 'has a source for line 99'],
    [[{ line: 1, from: [5] }], 'has a line from message 5, but the plan replaces only messages before 5'],
    [[{ line: 1, from: [] }], 'has a source of line 1 without messages'],
    [{}, 'has "sources" that are not an array'],
  ])('are checked: %j', (sources, problem) => {
    const edits = summary(history, 4, 'one', [{ line: 0, from: [2] }]) as readonly { with: readonly object[] }[];
    const changed = edits.map((edit) => ({ ...edit, with: edit.with.map((one) => ({ ...one, sources })) }));
    expect(() => apply(history, changed as unknown as Edit[])).toThrow(problem);
  });
});
