import { type Budget, type CompressOptions, type EngineHost, readHandoff } from '@palimpsest/core';
import {
  alignTailStart,
  Draft,
  type EnginePlanner,
  headEnd,
  type Plan,
  placeHandoff,
  type Transcript,
  tailStarts,
} from '@palimpsest/core/authoring';

/** Number of compactions so far. */
export interface DropState {
  readonly passes: number;
}

/**
 * A minimal correct engine: drops the oldest groups and inserts a handoff, which the summarizer may extend. The broken
 * engines in these tests are variants of it.
 */
export function dropOldest(host: EngineHost): EnginePlanner<DropState> {
  return {
    initial: { passes: 0 },
    budget: ({ contextLength }): Budget => ({
      contextLength,
      usableTokens: contextLength,
      thresholdTokens: Math.round(contextLength * 0.75),
      tailTokens: Math.round(contextLength * 0.3),
      summaryTokens: 500,
    }),
    async plan({ transcript, asked, state }): Promise<Plan<DropState>> {
      const range = rangeToDrop(transcript, asked);
      if (!range) return { edits: [], state };
      const gone = transcript.messages.slice(transcript.groups[range[0]]!.from, transcript.groups[range[1] - 1]!.to);
      const earlier = gone.flatMap((message) => readHandoff(message)?.body ?? []);
      const offline = host.redact(
        [...earlier.map((body) => body.slice(0, 500)), `${gone.length} earlier messages were left out.`].join('\n\n'),
      );
      const written = asked.effort === 'free' ? null : await write(host, offline, gone.length, asked.signal);
      const draft = new Draft(transcript);
      placeHandoff(draft, range, host.redact(written?.text ?? offline), { reason: { code: 'summarize' } });
      return {
        edits: draft.edits(),
        state: { passes: state.passes + 1 },
        ...(written?.failure ? { outcome: 'degraded' } : {}),
        notes: { modelCalls: written?.calls ?? 0, failure: written?.failure ?? null },
      };
    },
  };
}

/** The same engine, which plans over the caller's history when it is given. */
export function dropOldestOfSource(host: EngineHost): EnginePlanner<DropState> {
  const planner = dropOldest(host);
  return {
    ...planner,
    async plan({ source, ...input }) {
      if (!source) return planner.plan(input);
      return { ...(await planner.plan({ ...input, transcript: source.transcript })), basis: 'source' };
    },
  };
}

/** Range of groups to drop: from behind the leading system messages to the tail, at most a fifth of the transcript. */
export function rangeToDrop(transcript: Transcript, asked: CompressOptions): [number, number] | null {
  const { groups, pendingCalls } = transcript;
  const from = headEnd(transcript, 0);
  const last = pendingCalls ? transcript.groupOf(pendingCalls.from) : groups.length;
  const budget = Math.min(asked.targetTokens ?? Number.POSITIVE_INFINITY, transcript.totalTokens * 0.4) / 2;
  let wanted = last;
  while (wanted > from && transcript.tokensOfGroups(wanted - 1, groups.length) <= budget) wanted--;
  const to = alignTailStart(transcript, { wanted, after: from, accepts: () => true });
  return to > from && tailStarts(transcript)[to] ? [from, to] : null;
}

async function write(
  host: EngineHost,
  offline: string,
  count: number,
  signal: AbortSignal | undefined,
): Promise<{ text: string; calls: number; failure: { class: string; message: string; cooldownMs: number } | null }> {
  const failed = { class: 'unknown', message: 'The summarizer failed.', cooldownMs: 60_000 };
  if (!host.summarizer) return { text: offline, calls: 0, failure: null };
  const timeout = new AbortController();
  const cancel = host.clock.schedule(() => timeout.abort(), 30_000);
  try {
    const { text, finishReason } = await host.summarizer.summarize({
      prompt: `Summarize ${count} messages.`,
      budgetTokens: 500,
      material: {
        messages: [],
        previousSummary: null,
        focusTopic: null,
        template: { name: 'plain', sections: [{ heading: 'Goal', ask: 'What for?' }] },
      },
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    });
    const good = text.startsWith('## Goal') && text.length < 2_000 && finishReason !== 'length';
    return { text: good ? `${text}\n\n${offline}` : offline, calls: 1, failure: good ? null : failed };
  } catch {
    return { text: offline, calls: 1, failure: failed };
  } finally {
    cancel();
  }
}
