import { agentReader } from '@palimpsest/agents';
import {
  apply,
  type CarriedMessage,
  compose,
  contentText,
  contentWithoutHandoff,
  type Edit,
  isSystem,
  isTextPart,
  type Message,
  type ReplaceEdit,
  readHandoff,
} from '@palimpsest/core';
import { Draft, groupMessages, plainReader, Transcript, writeHandoff } from '@palimpsest/core/authoring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryTranscript, quarterCounter } from '../../src/index.ts';
import { planFor, withOddUsers } from './arbitrary-plan.ts';
import { numRuns } from './runs.ts';

const transcripts = fc
  .tuple(arbitraryTranscript({ maxLength: 60 }), fc.nat())
  .map(([messages, seed]) => withOddUsers(messages, seed));
const seeds = fc.nat();
const json = (value: unknown): string => JSON.stringify(value);

describe('applying a plan', () => {
  it('without edits returns the same array', () => {
    fc.assert(
      fc.property(transcripts, (messages) => void expect(apply(messages, []).messages).toBe(messages)),
      { numRuns },
    );
  });

  it('does not change the input, and keeps unedited messages as the same objects', () => {
    fc.assert(
      fc.property(transcripts, seeds, (messages, seed) => {
        const edits = planFor(messages, seed);
        const before = json(messages);
        const { messages: output, provenance } = apply(messages, edits);
        expect(json(messages)).toBe(before);
        const named = namedBy(edits, messages);
        const kept = messages.filter((_, index) => !named.has(index));
        expect(output.filter((_, index) => provenance.output[index]!.kind === 'original')).toEqual(kept);
        for (const message of kept) expect(output).toContain(message);
      }),
      { numRuns },
    );
  });

  it('gives every message exactly one outcome, and outcomes and origins refer to each other', () => {
    fc.assert(
      fc.property(transcripts, seeds, (messages, seed) => {
        const { messages: output, provenance } = apply(messages, planFor(messages, seed));
        expect(provenance.source).toHaveLength(messages.length);
        expect(provenance.output).toHaveLength(output.length);
        provenance.source.forEach((outcome, index) => {
          if (outcome.kind === 'kept' || outcome.kind === 'rewritten')
            expect(provenance.output[outcome.at]).toMatchObject({ from: index });
          if (outcome.kind === 'carried') expect(provenance.output[outcome.at]).toMatchObject({ kind: 'inserted' });
        });
        provenance.output.forEach((origin, at) => {
          if (origin.kind !== 'inserted') expect(provenance.source[origin.from]).toMatchObject({ at });
        });
      }),
      { numRuns },
    );
  });

  it('gives the same result after a round trip of the plan through JSON, and for any order of its edits', () => {
    fc.assert(
      fc.property(transcripts, seeds, (messages, seed) => {
        const edits = planFor(messages, seed);
        const output = json(apply(messages, edits).messages);
        expect(json(apply(messages, JSON.parse(json(edits))).messages)).toBe(output);
        expect(json(apply(messages, edits.toReversed()).messages)).toBe(output);
      }),
      { numRuns },
    );
  });
});

describe('an inserted message', () => {
  it('ends with the messages it carries, verbatim and readable again', () => {
    fc.assert(
      fc.property(transcripts, seeds, (messages, seed) => {
        const edits = planFor(messages, seed);
        const { messages: output, provenance } = apply(messages, edits);
        const taken = new Map<number, number>();
        provenance.output.forEach((origin, at) => {
          if (origin.kind !== 'inserted') return;
          const position = taken.get(origin.edit) ?? 0;
          taken.set(origin.edit, position + 1);
          const { handoff, carry } = (edits[origin.edit] as ReplaceEdit).with[position]!;
          const message = output[at] as Message;
          expect(writeHandoff(readHandoff(message)!.body)).toBe(handoff);
          const carried = contentText(contentWithoutHandoff(message, plainReader));
          let from = 0;
          for (const one of carry.flat())
            for (const text of textsOf(one, messages)) {
              expect(carried.indexOf(text, from)).toBeGreaterThanOrEqual(from);
              from = carried.indexOf(text, from) + text.length;
            }
          expect(carried.slice(from).trim()).toBe('');
        });
      }),
      { numRuns },
    );
  });
});

describe('composing two plans', () => {
  it('gives one plan with the effect of both in a row', () => {
    fc.assert(
      fc.property(transcripts, seeds, seeds, (messages, one, two) => {
        const first = planFor(messages, one);
        const middle = apply(messages, first).messages as readonly Message[];
        const second = planFor(middle, two);
        const both = compose(messages, first, second);
        expect(apply(messages, both).messages).toEqual(apply(middle, second).messages);
      }),
      { numRuns },
    );
  });

  it('keeps unedited messages as the same objects', () => {
    fc.assert(
      fc.property(transcripts, seeds, seeds, (messages, one, two) => {
        const first = planFor(messages, one);
        const middle = apply(messages, first).messages as readonly Message[];
        const second = planFor(middle, two);
        const sequential = apply(middle, second).messages;
        const composed = apply(messages, compose(messages, first, second)).messages;
        sequential.forEach((message, at) => {
          if (messages.includes(message as Message)) expect(composed[at]).toBe(message);
        });
      }),
      { numRuns },
    );
  });

  it('is associative', () => {
    fc.assert(
      fc.property(transcripts, seeds, seeds, seeds, (messages, one, two, three) => {
        const first = planFor(messages, one);
        const afterFirst = apply(messages, first).messages as readonly Message[];
        const second = planFor(afterFirst, two);
        const afterSecond = apply(afterFirst, second).messages as readonly Message[];
        const third = planFor(afterSecond, three);
        const left = compose(messages, compose(messages, first, second), third);
        const right = compose(messages, first, compose(afterFirst, second, third));
        expect(apply(messages, left).messages).toEqual(apply(messages, right).messages);
      }),
      { numRuns },
    );
  });

  it('still carries a message that the first plan carried, if its insertion stays', () => {
    fc.assert(
      fc.property(transcripts, seeds, (messages, seed) => {
        const first = planFor(messages, seed);
        const before = apply(messages, first);
        // A second plan that only adds a message at the very end changes no outcome.
        const groups = groupMessages(before.messages as readonly Message[]).length;
        const second: Edit[] = [
          {
            kind: 'replace',
            groups: [groups, groups],
            with: [{ handoff: writeHandoff('ok'), carry: [] }],
            reasons: [{ code: 'add' }],
          },
        ];
        const after = apply(messages, compose(messages, first, second));
        expect(after.provenance.source.map(({ kind }) => kind === 'carried')).toEqual(
          before.provenance.source.map(({ kind }) => kind === 'carried'),
        );
      }),
      { numRuns },
    );
  });
});

describe('a draft', () => {
  it('knows the messages and tokens that its edits will give', () => {
    fc.assert(
      fc.property(transcripts, seeds, (messages, seed) => {
        const transcript = Transcript.of(messages, quarterCounter, { reader: agentReader });
        const draft = new Draft(transcript);
        let reclaimed = 0;
        for (const edit of planFor(messages, seed)) {
          if (edit.kind === 'rewrite') reclaimed += draft.rewrite(edit.at, edit.set, edit.reasons[0]!);
          else reclaimed += draft.replace(edit.groups, edit.with, edit.reasons[0]!, edit.summarizedSystems);
        }
        const edits = draft.edits();
        expect(draft.isEmpty).toBe(edits.length === 0);
        const { messages: output, provenance } = apply(messages, edits);
        messages.forEach((_, index) => {
          const outcome = provenance.source[index]!;
          const stays = outcome.kind === 'kept' || outcome.kind === 'rewritten';
          expect(draft.current(index)).toEqual(stays ? output[outcome.at] : null);
          expect(draft.original(index)).toBe(messages[index]);
        });
        expect(draft.tokens).toBeCloseTo(transcript.totalTokens - reclaimed, 6);
        const lastUser = messages.findLastIndex(({ role }) => role === 'user');
        const counted = (output as readonly Message[]).reduce((sum, message, at) => {
          const origin = provenance.output[at]!;
          const reasoning = origin.kind !== 'inserted' && origin.from > lastUser;
          return sum + quarterCounter.countMessage(message, { reasoning });
        }, 0);
        expect(draft.tokens).toBeCloseTo(counted, 6);
      }),
      { numRuns },
    );
  });

  it('returns its edits in transcript order', () => {
    fc.assert(
      fc.property(transcripts, seeds, (messages, seed) => {
        const transcript = Transcript.of(messages, quarterCounter, { reader: agentReader });
        const draft = new Draft(transcript);
        for (const edit of planFor(messages, seed))
          if (edit.kind === 'rewrite') draft.rewrite(edit.at, edit.set, edit.reasons[0]!);
          else draft.replace(edit.groups, edit.with, edit.reasons[0]!);
        const starts = draft.edits().map((edit) => {
          if (edit.kind === 'rewrite') return edit.at;
          return (
            (transcript.groups[edit.groups[0]]?.from ?? messages.length) - (edit.groups[0] === edit.groups[1] ? 0.5 : 0)
          );
        });
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
      }),
      { numRuns },
    );
  });

  it('applies a second rewrite to the result of the first, and drops both if the message is replaced', () => {
    fc.assert(
      fc.property(transcripts, fc.nat(), (messages, pick) => {
        const transcript = Transcript.of(messages, quarterCounter, { reader: agentReader });
        fc.pre(messages.length > 0);
        const at = pick % messages.length;
        const draft = new Draft(transcript);
        draft.rewrite(at, { content: 'one' }, { code: 'one' });
        draft.rewrite(at, { reasoning_content: null }, { code: 'two' });
        expect(draft.current(at)).toMatchObject({ content: 'one', reasoning_content: null });
        expect(draft.edits()).toMatchObject([
          { kind: 'rewrite', at, set: { content: 'one', reasoning_content: null } },
        ]);
        const group = transcript.groupOf(at);
        draft.replace([group, group + 1], [], { code: 'drop' });
        const replaced = { kind: 'replace', groups: [group, group + 1] };
        // A system message stays, and so do its rewrites.
        if (isSystem(messages[at]!)) {
          expect(draft.current(at)).toMatchObject({ content: 'one' });
          expect(draft.edits()).toMatchObject([replaced, { kind: 'rewrite', at }]);
        } else {
          expect(draft.current(at)).toBeNull();
          expect(draft.edits()).toMatchObject([replaced]);
        }
      }),
      { numRuns },
    );
  });
});

/** The texts of a carried message, unless they are all blank. */
function textsOf(carried: number | CarriedMessage, messages: readonly Message[]): string[] {
  const { at, skip = 0, content = messages[at]!.content } = typeof carried === 'number' ? { at: carried } : carried;
  const own = contentWithoutHandoff({ role: 'user', content }, plainReader);
  const parts = typeof own === 'string' ? [own] : own.map((part) => (isTextPart(part) ? part.text : ''));
  const texts = parts.map((text, index) => (index === 0 ? text.slice(skip) : text));
  return texts.every((text) => text.trim() === '') ? [] : texts;
}

function namedBy(edits: readonly Edit[], messages: readonly Message[]): Set<number> {
  const groups = groupMessages(messages);
  const named = new Set<number>();
  for (const edit of edits) {
    if (edit.kind === 'rewrite') named.add(edit.at);
    else
      for (const group of groups.slice(...edit.groups))
        for (let index = group.from; index < group.to; index++) if (!isSystem(messages[index]!)) named.add(index);
  }
  return named;
}
