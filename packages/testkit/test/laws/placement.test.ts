import { agentReader } from '@palimpsest/agents';
import {
  apply,
  contentWithoutHandoff,
  isSystem,
  type Message,
  readHandoff,
  validateTranscript,
} from '@palimpsest/core';
import {
  alignTailStart,
  checkContract,
  Draft,
  headEnd,
  placeHandoff,
  Transcript,
  tailLead,
  tailStarts,
} from '@palimpsest/core/authoring';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryTranscript, quarterCounter } from '../../src/index.ts';
import { numRuns } from './runs.ts';

/** Counts a message with the handoff of this test as 0 tokens, so that it is always smaller than what it replaces. */
const freeHandoff: typeof quarterCounter = {
  ...quarterCounter,
  countMessage: (message, options) => (isOurs(message) ? 0 : quarterCounter.countMessage(message, options)),
};

function isOurs(message: Message): boolean {
  return readHandoff(message)?.body === '## Goal\nNone.';
}

/** A transcript and a range that a planner may summarize: from a legal end of the head to a legal start of the tail. */
const summarizable = fc
  .tuple(arbitraryTranscript({ maxLength: 80 }), fc.nat(), fc.nat())
  .map(([messages, headPick, tailPick]) => {
    const transcript = Transcript.of(messages, freeHandoff, { reader: agentReader });
    const from = headEnd(transcript, headPick % (Math.min(6, transcript.groups.length) + 1));
    const last = transcript.pendingCalls ? transcript.groupOf(transcript.pendingCalls.from) : transcript.groups.length;
    const legal = tailStarts(transcript);
    const starts = Array.from({ length: last + 1 }, (_, start) => start).filter(
      // System messages stay, so a range of nothing else has nothing to summarize.
      (start) =>
        start > from &&
        // A lead-in inside the head does not count for this range.
        (legal[start] === 1 || (legal[start] === 2 && tailLead(transcript, start)! >= from)) &&
        !messagesOf(transcript, from, start).every(isSystem),
    );
    return { transcript, from, to: starts.length === 0 ? null : starts[tailPick % starts.length]! };
  });

function messagesOf({ messages, groups }: Transcript, from: number, to: number): readonly Message[] {
  return messages.slice(groups[from]!.from, groups[to - 1]!.to);
}

function placed(transcript: Transcript, from: number, to: number): ReturnType<typeof apply<Message>> {
  const draft = new Draft(transcript);
  placeHandoff(draft, [from, to], '## Goal\nNone.', { reason: { code: 'summarize' } });
  return apply(transcript.messages, draft.edits(), transcript.groups);
}

describe('placing a handoff between a head and a tail that may start there', () => {
  it('adds no violation in any dialect, and passes the contract check', () => {
    fc.assert(
      fc.property(summarizable, ({ transcript, from, to }) => {
        fc.pre(to !== null);
        const applied = placed(transcript, from, to);
        for (const dialect of ['openai', 'anthropic', 'strict'] as const)
          expect(checkContract(transcript, applied, dialect)).toEqual([]);
      }),
      { numRuns: numRuns * 3 },
    );
  });

  it('in a valid transcript keeps it valid, also for a strict chat template', () => {
    const clean = fc.tuple(arbitraryTranscript({ broken: false, maxLength: 80 }), fc.nat(), fc.nat());
    fc.assert(
      fc.property(clean, ([messages, headPick, tailPick]) => {
        const transcript = Transcript.of(messages, freeHandoff, { reader: agentReader });
        const from = headEnd(transcript, headPick % (transcript.groups.length + 1));
        const wanted = from + 1 + (tailPick % Math.max(1, transcript.groups.length));
        const to = alignTailStart(transcript, { wanted, after: from, accepts: () => true });
        fc.pre(to > from);
        const { messages: output } = placed(transcript, from, to);
        expect(validateTranscript(output as Message[], { dialect: 'strict' })).toEqual([]);
      }),
      { numRuns },
    );
  });

  it('inserts exactly one handoff, as a user message, and leaves system messages alone', () => {
    fc.assert(
      fc.property(summarizable, ({ transcript, from, to }) => {
        fc.pre(to !== null);
        const { messages, provenance } = placed(transcript, from, to);
        const inserted = messages.filter((_, at) => provenance.output[at]!.kind === 'inserted') as Message[];
        expect(inserted).toHaveLength(1);
        expect(readHandoff(inserted[0]!)?.body).toBe('## Goal\nNone.');
        expect(messages.filter((message) => isSystem(message as Message))).toEqual(
          transcript.messages.filter(isSystem),
        );
      }),
      { numRuns },
    );
  });

  it('leaves the draft as it is if the handoff is not smaller than what it would replace', () => {
    fc.assert(
      fc.property(summarizable, ({ transcript, from, to }) => {
        fc.pre(to !== null);
        const draft = new Draft(transcript);
        const body = 'x'.repeat(4 * transcript.totalTokens);
        expect(placeHandoff(draft, [from, to], body, { reason: { code: 'summarize' } })).toBeLessThanOrEqual(0);
        expect(draft.isEmpty).toBe(true);
        expect(draft.tokens).toBe(transcript.totalTokens);
      }),
      { numRuns },
    );
  });

  it('keeps the current task, verbatim, at the end of its message', () => {
    fc.assert(
      fc.property(summarizable, ({ transcript, from, to }) => {
        fc.pre(to !== null && transcript.task !== null);
        const output = Transcript.of(placed(transcript, from, to).messages as Message[], freeHandoff, {
          reader: agentReader,
        });
        expect(output.task).not.toBeNull();
        const words = (of: Transcript): string =>
          of.messages
            .slice(of.task!.from, of.task!.to)
            .map((message) => textOf(contentWithoutHandoff(message, of.reader)))
            .join('\n\n');
        expect(words(output).endsWith(words(transcript))).toBe(true);
      }),
      { numRuns: numRuns * 3 },
    );
  });

  it('a second time removes the first handoff from its message', () => {
    fc.assert(
      fc.property(summarizable, ({ transcript, from, to }) => {
        fc.pre(to !== null);
        const once = Transcript.of(placed(transcript, from, to).messages as Message[], freeHandoff, {
          reader: agentReader,
        });
        const legal = tailStarts(once);
        const head = headEnd(once, 0);
        const last = once.pendingCalls ? once.groupOf(once.pendingCalls.from) : once.groups.length;
        for (let start = last; start > head; start--) {
          if (!legal[start]) continue;
          const twice = placed(once, head, start).messages as Message[];
          const ours = twice.filter(isOurs);
          expect(ours.length).toBeLessThanOrEqual(1 + laterHandoffs(once, start));
          break;
        }
      }),
      { numRuns },
    );
  });
});

describe('where a tail may start', () => {
  it('is legal only where a strict chat template accepts it', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 40 }), (messages) => {
        const transcript = Transcript.of(messages, quarterCounter, { reader: agentReader });
        const legal = tailStarts(transcript);
        expect(legal).toHaveLength(transcript.groups.length + 1);
        transcript.groups.forEach((group, start) => {
          // What a strict template counts after a handoff that is merged with the first user messages of the tail.
          let at = group.from;
          const alone = (index: number): boolean => transcript.groups[transcript.groupOf(index)]!.kind === 'message';
          while (at < messages.length && messages[at]!.role === 'user' && alone(at)) at++;
          const next = messages
            .slice(at)
            .find(
              ({ role, tool_calls: calls, function_call: call }) =>
                role === 'user' || (role === 'assistant' && !calls?.length && !call),
            );
          // The pending tool calls stay in front of what follows them.
          const { from: pendingFrom, to: pendingTo } = transcript.pendingCalls ?? { from: -1, to: -1 };
          const isPending = start <= (pendingFrom < 0 ? -1 : transcript.groupOf(pendingFrom));
          const isAfterPending = isPending && next !== undefined && messages.lastIndexOf(next) >= pendingTo;
          if (legal[start] === 1 && !isAfterPending) expect(next?.role).not.toBe('user');
          if (legal[start] === 2) {
            // The lead-in provides the assistant's turn that the template counts before that user message.
            const lead = tailLead(transcript, start)!;
            const counted = messages
              .slice(transcript.groups[lead]!.from, at)
              .filter(({ role, tool_calls: calls }) => role === 'user' || (role === 'assistant' && !calls?.length));
            expect(new Set(counted.map(({ role }) => role))).toEqual(new Set(['assistant']));
          }
        });
      }),
      { numRuns },
    );
  });

  it('after alignment is legal, after the head and not after the pending tool calls, if there is such a start', () => {
    fc.assert(
      fc.property(arbitraryTranscript({ maxLength: 40 }), fc.nat(), fc.nat(), (messages, wantedPick, afterPick) => {
        const transcript = Transcript.of(messages, quarterCounter, { reader: agentReader });
        const count = transcript.groups.length;
        const after = headEnd(transcript, afterPick % (count + 1));
        const start = alignTailStart(transcript, { wanted: wantedPick % (count + 1), after, accepts: () => true });
        const last = transcript.pendingCalls ? transcript.groupOf(transcript.pendingCalls.from) : count;
        const legal = tailStarts(transcript);
        const exists = Array.from({ length: last + 1 }, (_, at) => at).some((at) => at > after && legal[at]);
        if (!exists) expect(start).toBe(after);
        else expect(legal[start]).toBeGreaterThan(0);
        expect(start).toBeGreaterThanOrEqual(after);
        expect(start).toBeLessThanOrEqual(Math.max(after, last));
      }),
      { numRuns: numRuns * 2 },
    );
  });
});

function laterHandoffs(transcript: Transcript, start: number): number {
  const from = transcript.groups[start]?.from ?? transcript.length;
  return transcript.messages.slice(from).filter(isOurs).length;
}

function textOf(content: ReturnType<typeof contentWithoutHandoff>): string {
  return typeof content === 'string'
    ? content
    : content.map((part) => ('text' in part ? String(part.text) : JSON.stringify(part))).join('\n\n');
}
