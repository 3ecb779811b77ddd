import {
  hasToolCalls,
  isSystem,
  isToolResult,
  type Message,
  repairToolPairs,
  toolCalls,
  type ViolationRule,
  validateTranscript,
} from '@palimpsest/core';
import { quoteText } from '@palimpsest/core/authoring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryTranscript } from '../../src/index.ts';
import { numRuns } from './runs.ts';

const roleRules: readonly ViolationRule[] = ['first-not-user', 'roles-not-alternating', 'system-misplaced'];
const pairRules: readonly ViolationRule[] = ['call-unanswered', 'result-orphan', 'result-misplaced'];

describe('validating a transcript', () => {
  it('agrees with a strict chat template about roles', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 60 }), fc.nat(59), (messages, cut) => {
        for (const one of [messages, messages.slice(cut)]) {
          const found = validateTranscript(one, { dialect: 'strict' }).some(({ rule }) => roleRules.includes(rule));
          expect(found).toBe(templateRaises(one));
        }
      }),
      { numRuns },
    );
  });

  it('agrees with a simple walk over calls and results about pairs', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 60 }), (messages) => {
        const found = validateTranscript(messages).some(({ rule }) => pairRules.includes(rule));
        expect(found).toBe(pairsBroken(messages));
      }),
      { numRuns },
    );
  });

  it('finds nothing in a valid transcript, in any dialect', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ broken: false }), (messages) => {
        for (const dialect of ['openai', 'anthropic', 'strict'] as const)
          expect(validateTranscript(messages, { dialect })).toEqual([]);
      }),
      { numRuns },
    );
  });

  it('names existing messages, in order, and the one at fault is among those involved', () => {
    fc.assert(
      fc.property(arbitraryTranscript(), (messages) => {
        let last = 0;
        for (const { index, involved, reason } of validateTranscript(messages, { dialect: 'strict' })) {
          expect(index).toBeGreaterThanOrEqual(last);
          last = index;
          expect(involved).toContain(index);
          expect(involved).toEqual(involved.toSorted((a, b) => a - b));
          for (const at of involved) expect(messages[at]).toBeDefined();
          expect(reason).not.toBe('');
        }
      }),
      { numRuns },
    );
  });
});

describe('repairing tool pairs', () => {
  const notice = quoteText('[A tool call or result that was out of place was removed here.]', 'harness-message');

  for (const dialect of ['anthropic', 'strict'] as const) {
    it(`makes no two turns of one role adjacent (${dialect})`, () => {
      fc.assert(
        fc.property(arbitraryTranscript({ maxLength: 80 }), (messages) => {
          const clashes = (list: readonly Message[]): (readonly [Message, Message])[] =>
            validateTranscript(list, { dialect })
              .filter(({ rule }) => rule === 'roles-not-alternating')
              .map(({ involved }) => [list[involved[0]!]!, list[involved[1]!]!]);
          const before = clashes(messages);
          const repaired = repairToolPairs(messages, { dialect }).messages as readonly Message[];
          for (const [one, two] of clashes(repaired))
            expect(before.some(([first, second]) => first === one && second === two)).toBe(true);
        }),
        { numRuns },
      );
    });
  }

  for (const dialect of ['openai', 'anthropic', 'strict'] as const) {
    it(`leaves no broken pair and is idempotent (${dialect})`, () => {
      fc.assert(
        fc.property(arbitraryTranscript({ maxLength: 80 }), (messages) => {
          const before = JSON.stringify(messages);
          const repaired = repairToolPairs(messages, { dialect });
          expect(JSON.stringify(messages)).toBe(before);
          const wrong = validateTranscript(repaired.messages as Message[], { dialect }).filter(({ rule }) =>
            pairRules.includes(rule),
          );
          expect(wrong).toEqual([]);
          const again = repairToolPairs(repaired.messages as Message[], { dialect });
          expect(again.repairs).toEqual([]);
          expect(again.messages).toBe(repaired.messages);
          expect(repaired.messages === messages).toBe(repaired.repairs.length === 0);
          const said = (list: readonly Message[]): string[] =>
            list
              .filter(({ role, content }) => role === 'system' || (role === 'user' && content !== notice))
              .map((message) => JSON.stringify(message));
          expect(said(repaired.messages as Message[])).toEqual(said(messages));
        }),
        { numRuns },
      );
    });
  }
});

/** A chat template like Mistral's, written independently of the validator. It counts user turns and plain assistant turns. */
function templateRaises(messages: readonly Message[]): boolean {
  let leading = 0;
  while (leading < messages.length && isSystem(messages[leading]!)) leading++;
  const loop = messages.slice(leading);
  if (loop.some(isSystem)) return true;
  if (loop.length > 0 && loop[0]!.role !== 'user') return true;
  let index = 0;
  for (const message of loop) {
    const counted = message.role === 'user' || (message.role === 'assistant' && !hasToolCalls(message));
    if (!counted) continue;
    if ((message.role === 'user') !== (index % 2 === 0)) return true;
    index++;
  }
  return false;
}

function pairsBroken(messages: readonly Message[]): boolean {
  let open: Set<string> | null = null;
  let legacy = false;
  for (const message of messages) {
    if (isToolResult(message)) {
      const answers = message.role === 'function' ? legacy : Boolean(open?.delete(message.tool_call_id ?? ''));
      if (!answers) return true;
      continue;
    }
    if (open && open.size > 0) return true;
    open = hasToolCalls(message) ? new Set(toolCalls(message).map(({ id }) => id)) : null;
    legacy = Boolean(message.role === 'assistant' && message.function_call);
  }
  return false;
}
