import { agentReader } from '@palimpsest/agents';
import { apply, type Edit, type Message, toolCallInput, toolCalls } from '@palimpsest/core';
import { checkContract, Draft, isJson, Transcript } from '@palimpsest/core/authoring';
import { arbitraryTranscript, quarterCounter } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dedupe,
  images,
  type PrunePolicy,
  plan,
  pressure,
  prune,
  pruneInto,
  shortenArguments,
  stub,
  supersede,
} from '../src/index.ts';

/** The deep run generates 10,000 transcripts. */
const numRuns = process.env.PALIMPSEST_DEEP ? 10_000 : 100;
const strategies = [dedupe, supersede, stub, shortenArguments, images, pressure];

const arbitraryPolicy: fc.Arbitrary<PrunePolicy> = fc
  .record({
    protect: fc.oneof(
      fc.record({ tokens: fc.constantFrom(0, 200, 3_000, 40_000) }),
      fc.record({ transcript: fc.constantFrom(0, 500, 8_000) }),
    ),
    keepTurns: fc.constantFrom(0, 1, 2),
    minimum: fc.constantFrom(0, 1_000),
    placeholder: fc.constantFrom('stub' as const, 'plain' as const),
    strategies: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.shuffledSubarray(strategies) },
    ),
  })
  .map((policy) => ({ ...policy, tokens: quarterCounter }));

const scenario = fc.tuple(arbitraryTranscript({ maxLength: 120 }), arbitraryPolicy);

function forAll(check: (messages: Message[], policy: PrunePolicy) => void): void {
  fc.assert(
    fc.property(scenario, ([messages, policy]) => check(messages, policy)),
    { numRuns },
  );
}

describe('for every transcript and policy, pruning', () => {
  it('is pure: the input is unchanged, and the same input gives the same result', () => {
    forAll((messages, policy) => {
      const before = structuredClone(messages);
      const first = prune(messages, policy);
      expect(messages).toEqual(before);
      expect(prune(messages, policy)).toEqual(first);
    });
  });

  it('is idempotent: it returns its own output as the same array', () => {
    forAll((messages, policy) => {
      const once = prune(messages, policy).messages;
      const twice = prune(once, policy);
      expect(twice.messages).toBe(once);
    });
  });

  it('keeps unedited messages identical, and returns the input array if nothing changed', () => {
    forAll((messages, policy) => {
      const { messages: output, provenance, report } = prune(messages, policy);
      expect(output.length).toBe(messages.length);
      provenance.source.forEach((outcome, index) => {
        if (outcome.kind === 'kept') expect(output[index]).toBe(messages[index]);
        else expect(outcome.kind).toBe('rewritten');
      });
      if (!report.committed) expect(output).toBe(messages);
    });
  });

  it('keeps JSON arguments valid, and every call under its id', () => {
    forAll((messages, policy) => {
      prune(messages, policy).messages.forEach((message, index) => {
        const before = toolCalls(messages[index]!);
        toolCalls(message).forEach((call, position) => {
          expect(call.id).toBe(before[position]!.id);
          if (call.type === 'function' && isJson(toolCallInput(before[position]!)))
            expect(isJson(toolCallInput(call))).toBe(true);
        });
      });
    });
  });

  it('keeps the contract in the strictest dialect', () => {
    forAll((messages, policy) => {
      const transcript = Transcript.of(messages, quarterCounter, { reader: agentReader });
      const edits = plan(transcript, policy);
      expect(checkContract(transcript, apply(messages, edits), 'strict')).toEqual([]);
    });
  });

  it('never edits system messages, user text or the pending tool calls', () => {
    forAll((messages, policy) => {
      const transcript = Transcript.of(messages, quarterCounter, { reader: agentReader });
      for (const edit of plan(transcript, policy)) {
        const { at, set } = edit as Extract<Edit, { kind: 'rewrite' }>;
        const message = messages[at]!;
        expect(['user', 'assistant', 'tool', 'function']).toContain(message.role);
        expect(at).toBeLessThan(transcript.pendingCalls?.from ?? messages.length);
        if (message.role === 'user')
          expect(textParts(set.content).filter((text) => text !== '[image removed]')).toEqual(
            textParts(message.content),
          );
        if (message.role === 'assistant') expect(Object.keys(set)).toEqual(['tool_calls']);
      }
    });
  });

  it('writes no stub over 200 characters, and reports exactly what it reclaimed', () => {
    forAll((messages, policy) => {
      const { messages: output, report } = prune(messages, policy);
      let reclaimed = 0;
      output.forEach((message, index) => {
        if (message === messages[index]) return;
        reclaimed += quarterCounter.countMessage(messages[index]!) - quarterCounter.countMessage(message);
        if (message.role === 'tool' && typeof message.content === 'string')
          expect(message.content.length).toBeLessThanOrEqual(200);
      });
      expect(report.reclaimedTokens).toBe(reclaimed);
      expect(Object.values(report.strategies).reduce((sum, own) => sum + own.reclaimedTokens, 0)).toBe(
        report.reclaimableTokens,
      );
    });
  });

  it('refers only to later output that is complete', () => {
    forAll((messages, policy) => {
      const { messages: output, provenance } = prune(messages, policy);
      provenance.source.forEach((outcome, index) => {
        if (outcome.kind !== 'rewritten' || !outcome.reasons.some(({ code }) => code === 'dedupe')) return;
        const target = output.findIndex((message, at) => at > index && message.content === messages[index]!.content);
        expect(target).toBeGreaterThan(index);
      });
    });
  });

  it('plans the same on a draft, and leaves messages alone that the draft has replaced', () => {
    forAll((messages, policy) => {
      const transcript = Transcript.of(messages, quarterCounter, { reader: agentReader });
      const draft = new Draft(transcript);
      pruneInto(draft, policy);
      expect(draft.edits()).toEqual(plan(transcript, policy));
      fc.pre(transcript.groups.length > 0);
      const half = new Draft(transcript);
      const middle = transcript.groups.length >> 1;
      half.replace([0, middle], [], { code: 'drop' });
      const before = half.tokens;
      const report = pruneInto(half, policy);
      expect(before - half.tokens).toBe(report.reclaimedTokens);
      for (const edit of half.edits())
        if (edit.kind === 'rewrite') expect(transcript.groupOf(edit.at)).toBeGreaterThanOrEqual(middle);
    });
  });
});

function textParts(content: Message['content']): unknown[] {
  return Array.isArray(content)
    ? content.map((part) => (part as { text?: string } | null)?.text).filter((text) => text !== undefined)
    : [content];
}
