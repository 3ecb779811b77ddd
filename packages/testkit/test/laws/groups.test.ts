import { hasToolCalls, isToolResult, type Message, toolCalls } from '@palimpsest/core';
import { groupMessages } from '@palimpsest/core/authoring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryTranscript } from '../../src/index.ts';
import { numRuns } from './runs.ts';

describe('the groups of a transcript', () => {
  it('cover it in order and without gaps', () => {
    fc.assert(
      fc.property(arbitraryTranscript(), (messages) => {
        let next = 0;
        for (const { kind, from, to } of groupMessages(messages)) {
          expect(from).toBe(next);
          expect(to).toBeGreaterThan(from);
          if (kind === 'message') expect(to).toBe(from + 1);
          expect(kind === 'calls').toBe(hasToolCalls(messages[from]!));
          next = to;
        }
        expect(next).toBe(messages.length);
      }),
      { numRuns },
    );
  });

  it('never separate a call from its result', () => {
    fc.assert(
      fc.property(arbitraryTranscript(), (messages) => {
        const groupOf = new Map<number, number>();
        groupMessages(messages).forEach(({ from, to }, group) => {
          for (let index = from; index < to; index++) groupOf.set(index, group);
        });
        for (const [caller, result] of pairs(messages)) expect(groupOf.get(result)).toBe(groupOf.get(caller));
      }),
      { numRuns },
    );
  });

  it('stay the same if whole groups are removed or user messages inserted', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 80 }), fc.nat(), (messages, pick) => {
        const groups = groupMessages(messages);
        fc.pre(groups.length > 0);
        const { from, to } = groups[pick % groups.length]!;
        const without = [...messages.slice(0, from), ...messages.slice(to)];
        const edges = new Set(groupMessages(without).map((group) => group.from));
        // Groups may merge where one was removed; none is split.
        const inside = groups.filter((group) => group.from !== from);
        for (const group of inside)
          for (let index = group.from + 1; index < group.to; index++)
            expect(edges.has(index < from ? index : index - (to - from))).toBe(false);
      }),
      { numRuns },
    );
  });

  it('are found in linear time, whichever calls have no result', () => {
    const length = 20_000;
    let looks = 0;
    const messages = Array.from({ length }, (_, index): Message => {
      const message: Message =
        index % 3 === 0
          ? {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: 'never', type: 'function', function: { name: 'f', arguments: '{}' } }],
            }
          : { role: index % 3 === 1 ? 'user' : 'tool', content: 'x' };
      return new Proxy(message, {
        get(target, key, receiver) {
          if (key === 'role') looks++;
          return Reflect.get(target, key, receiver);
        },
      });
    });
    groupMessages(messages);
    expect(looks).toBeLessThan(length * 12);
  });
});

/** Calls and their results: the first result with that id between the call and the next message with calls. */
function pairs(messages: readonly Message[]): [caller: number, result: number][] {
  const found: [number, number][] = [];
  messages.forEach((message, caller) => {
    if (!hasToolCalls(message)) return;
    const waiting = toolCalls(message).map(({ id }) => id);
    let legacy = Boolean(message.function_call);
    for (let index = caller + 1; index < messages.length && !hasToolCalls(messages[index]!); index++) {
      const candidate = messages[index]!;
      if (!isToolResult(candidate)) continue;
      const at = candidate.role === 'tool' ? waiting.indexOf(candidate.tool_call_id ?? '') : -1;
      if (at >= 0) waiting.splice(at, 1);
      else if (candidate.role === 'function' && legacy) legacy = false;
      else continue;
      found.push([caller, index]);
    }
  });
  return found;
}
