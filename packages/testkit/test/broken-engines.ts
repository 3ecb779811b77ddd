import {
  type CompressOptions,
  type ContextEngine,
  contentText,
  type Edit,
  type EngineHost,
  isSystem,
  type Message,
  type MessageOutcome,
  type Part,
} from '@palimpsest/core';
import {
  createEngine,
  Draft,
  type EnginePlanner,
  headEnd,
  type Plan,
  placeHandoff,
  type Transcript,
} from '@palimpsest/core/authoring';
import { engineCases } from '../src/index.ts';
import { type DropState, dropOldest, dropOldestOfSource, rangeToDrop } from './drop-oldest.ts';

/** An engine with one bug, and the cases that must fail because of it. Every other case must pass. */
export interface BrokenEngine {
  readonly fails: readonly string[];
  /** True if `createEngine` masks the bug, so that cases fail only with the masking disabled. */
  readonly masked?: boolean;
  readonly create: (host: EngineHost) => ContextEngine;
}

type Alter = (
  plan: Plan<DropState>,
  transcript: Transcript,
  asked: CompressOptions,
  host: EngineHost,
) => Plan<DropState>;

/** The correct planner, with its plan changed by `alter`. */
function altered(alter: Alter): (host: EngineHost) => EnginePlanner<DropState> {
  return (host) => {
    const planner = dropOldest(host);
    return {
      ...planner,
      async plan(input) {
        const plan = await planner.plan(input);
        return plan.edits.length === 0 ? plan : alter(plan, input.transcript, input.asked, host);
      },
    };
  };
}

function engineOf(plannerFor: (host: EngineHost) => EnginePlanner<DropState>): (host: EngineHost) => ContextEngine {
  return (host) => createEngine(plannerFor(host), host, { name: 'broken' });
}

function withEdits(plan: Plan<DropState>, alter: (edit: Edit) => Edit): Plan<DropState> {
  return { ...plan, edits: plan.edits.map(alter) };
}

/** The unredacted text of the messages that the plan drops. */
function goneText(transcript: Transcript, asked: CompressOptions): string {
  const [from, to] = rangeToDrop(transcript, asked) ?? [0, 0];
  const gone =
    from === to ? [] : transcript.messages.slice(transcript.groups[from]!.from, transcript.groups[to - 1]!.to);
  const said = (message: Message): string => `${contentText(message.content).slice(0, 600)}\n`;
  return gone.map(said).join('').slice(0, 3_000);
}

/** Finds the first wanted message that the plan keeps and that is not a pending tool call. Returns its index, or -1. */
function plainKept(
  plan: Plan<DropState>,
  transcript: Transcript,
  wanted: (message: Message, index: number) => boolean,
): number {
  const gone = (index: number): boolean =>
    plan.edits.some(
      (edit) =>
        edit.kind === 'replace' &&
        transcript.groupOf(index) >= edit.groups[0] &&
        transcript.groupOf(index) < edit.groups[1],
    );
  return transcript.messages.findIndex(
    (message, index) =>
      !gone(index) && index < (transcript.pendingCalls?.from ?? transcript.length) && wanted(message, index),
  );
}

const rewriteOf = (at: number, content: string): Edit => ({
  kind: 'rewrite',
  at,
  set: { content },
  reasons: [{ code: 'stub' }],
});

let tossed = 0;

export const brokenEngines: Readonly<Record<string, BrokenEngine>> = {
  'throws on long transcripts': {
    // No long transcript gets a result, so the second case has nothing to check.
    fails: ['returns a result for every transcript', 'makes room: a long transcript far over its window gets smaller'],
    create: engineOf(
      altered((plan, { length }) => {
        if (length > 40) throw new Error('too long for me');
        return plan;
      }),
    ),
  },
  'always throws': {
    // All but the two in which the planner is never called: with invalid messages, and after an abort.
    fails: engineCases()
      .map(({ name }) => name)
      .filter((name) => !/^(?:rejects invalid messages|an abort)/.test(name)),
    create: engineOf((host) => ({
      ...dropOldest(host),
      plan: () => Promise.reject(new Error('not today')),
    })),
  },
  'leaves tool results without content': {
    fails: [
      'invariant 2: adds no violation that a provider rejects',
      'invariant 6: gives every message one outcome that matches the report and the edits',
      'invariant 7: compacting an already compacted transcript is a no-op',
      'invariant 10: never makes the transcript larger, and reports its size correctly',
    ],
    create(host) {
      const engine = engineOf(dropOldest)(host);
      return Object.create(engine, {
        compress: {
          async value(messages: readonly Message[], asked?: CompressOptions) {
            const result = await engine.compress(messages, asked);
            if (result.outcome !== 'compacted') return result;
            const at = result.messages.findIndex(
              ({ role }, index) => role === 'tool' && index < result.messages.length - 6,
            );
            const origin = result.provenance.output[at];
            if (origin?.kind !== 'original') return result;
            const { source, output } = result.provenance;
            const emptied: Message = { ...(result.messages[at] as Message), content: null };
            const outcome: MessageOutcome = { kind: 'rewritten', at, edit: 0, reasons: [{ code: 'stub' }] };
            return {
              ...result,
              messages: result.messages.with(at, emptied),
              provenance: {
                source: source.with(origin.from, outcome),
                output: output.with(at, { kind: 'rewritten', from: origin.from, edit: 0 }),
              },
            };
          },
        },
      });
    },
  },
  'writes an edit that is not JSON': {
    // No long transcript gets a result, so the second case has nothing to check.
    fails: ['returns a result for every transcript', 'makes room: a long transcript far over its window gets smaller'],
    create: engineOf(
      altered((plan, transcript) => {
        const at = plainKept(plan, transcript, ({ role }) => role === 'tool');
        return at < 0 ? plan : { ...plan, edits: [...plan.edits, rewriteOf(at, new Date(0) as never)] };
      }),
    ),
  },
  'has a state that is not JSON': {
    // No long transcript gets a result, so the second case has nothing to check.
    fails: ['returns a result for every transcript', 'makes room: a long transcript far over its window gets smaller'],
    create: engineOf(altered((plan) => ({ ...plan, state: { passes: Number.NaN } }))),
  },
  'adds a field to its input': {
    fails: ['invariant 1: does not mutate its input; unedited messages are the same objects'],
    create: engineOf(
      altered((plan, { messages }) => {
        Object.assign(messages[0]!, { seen: true });
        return plan;
      }),
    ),
  },
  'returns copies of kept messages': {
    fails: ['invariant 1: does not mutate its input; unedited messages are the same objects'],
    create(host) {
      const inner = engineOf(dropOldest)(host);
      return Object.create(inner, {
        compress: {
          async value(messages: readonly Message[], asked?: CompressOptions) {
            const result = await inner.compress(messages, asked);
            const at = result.provenance.output.findIndex(
              (origin, index) =>
                origin.kind === 'original' &&
                result.messages[index]!.role === 'assistant' &&
                index < result.messages.length - 12,
            );
            if (at < 0 || result.outcome !== 'compacted') return result;
            return {
              ...result,
              messages: (result.messages as readonly Message[]).with(at, { ...(result.messages[at] as Message) }),
            };
          },
        },
      });
    },
  },
  'starts the tail anywhere': {
    fails: ['invariant 2: adds no violation that a provider rejects'],
    create: engineOf((host) => ({
      ...dropOldest(host),
      async plan({ transcript, state }) {
        const from = headEnd(transcript, 0);
        const last = transcript.pendingCalls
          ? transcript.groupOf(transcript.pendingCalls.from)
          : transcript.groups.length;
        const to = Math.min(last, from + Math.ceil((last - from) * 0.7));
        if (to <= from) return { edits: [], state };
        const draft = new Draft(transcript);
        placeHandoff(draft, [from, to], 'Gone.', { reason: { code: 'summarize' } });
        // Drops the assistant reply that core keeps before the tail where a dialect needs it.
        const [first, gap] = draft.edits();
        const merged =
          first?.kind === 'replace' && gap?.kind === 'replace'
            ? [{ ...first, groups: [first.groups[0], gap.groups[1]] as const }]
            : draft.edits();
        return { edits: merged, state };
      },
    })),
  },
  'does not carry the request it replaces': {
    fails: ['invariant 3: keeps the current task verbatim'],
    create: engineOf(
      altered((plan) =>
        withEdits(plan, (edit) => {
          if (edit.kind !== 'replace') return edit;
          return { ...edit, with: edit.with.map(({ handoff }) => ({ handoff, carry: [] })) };
        }),
      ),
    ),
  },
  'rewrites a string as parts': {
    fails: ['strings in, strings out: if every input content is a string, so is every output content'],
    create: engineOf(
      altered((plan, transcript) => {
        const at = plainKept(plan, transcript, ({ role }) => role === 'assistant');
        const content = [{ type: 'text', text: 'Noted.' } as Part];
        return at < 0
          ? plan
          : { ...plan, edits: [...plan.edits, { kind: 'rewrite', at, set: { content }, reasons: [{ code: 'stub' }] }] };
      }),
    ),
  },
  'shortens the request': {
    fails: ['invariant 3: keeps the current task verbatim'],
    create: engineOf(
      altered((plan, transcript) => {
        const at = plainKept(
          plan,
          transcript,
          (_, index) =>
            index >= (transcript.task?.from ?? Number.POSITIVE_INFINITY) && index < (transcript.task?.to ?? 0),
        );
        return at < 0 ? plan : { ...plan, edits: [...plan.edits, rewriteOf(at, '...')] };
      }),
    ),
  },
  'rewrites a system message': {
    fails: [
      'invariant 4: keeps leading system messages as the same objects, and later ones whole in their newest copy',
    ],
    create: engineOf(
      altered((plan, { messages }) =>
        isSystem(messages[0]!) ? { ...plan, edits: [...plan.edits, rewriteOf(0, 'Be brief.')] } : plan,
      ),
    ),
  },
  'summarizes the pending tool calls': {
    fails: ['invariant 5: keeps the pending tool calls whole, whatever follows them'],
    create: engineOf((host) => ({
      ...dropOldest(host),
      async plan(input) {
        const { transcript, state } = input;
        if (!transcript.pendingCalls) return dropOldest(host).plan(input);
        const draft = new Draft(transcript);
        placeHandoff(draft, [headEnd(transcript, 0), transcript.groups.length], 'Gone.', {
          reason: { code: 'summarize' },
        });
        return { edits: draft.edits(), state };
      },
    })),
  },
  'stubs a pending result': {
    fails: ['invariant 5: keeps the pending tool calls whole, whatever follows them'],
    create: engineOf(
      altered((plan, { pendingCalls }) =>
        pendingCalls && pendingCalls.to - pendingCalls.from > 1
          ? { ...plan, edits: [...plan.edits, rewriteOf(pendingCalls.to - 1, '[done]')] }
          : plan,
      ),
    ),
  },
  'reports a dropped message as carried': {
    fails: ['invariant 6: gives every message one outcome that matches the report and the edits'],
    create(host) {
      const engine = engineOf(dropOldest)(host);
      return Object.create(engine, {
        compress: {
          value: async (messages: readonly Message[], asked?: CompressOptions) => {
            const result = await engine.compress(messages, asked);
            const { source, output } = result.provenance;
            const at = output.findIndex(({ kind }) => kind === 'inserted');
            const lost = source.findIndex(
              ({ kind }, index) => kind === 'summarized' && contentText(messages[index]!.content) !== '',
            );
            if (at < 0 || lost < 0) return result;
            const carried = { ...source[lost]!, kind: 'carried', at } as MessageOutcome;
            return { ...result, provenance: { output, source: source.with(lost, carried) } };
          },
        },
      });
    },
  },
  'compacts its own output again': {
    fails: ['invariant 7: compacting an already compacted transcript is a no-op'],
    create(host) {
      // No state between calls, and a handoff that does not record how many messages followed it.
      const planner = altered((plan) =>
        withEdits(plan, (edit) =>
          edit.kind === 'rewrite'
            ? edit
            : {
                ...edit,
                with: edit.with.map((inserted) => ({
                  ...inserted,
                  handoff: inserted.handoff.replace(/\+\d+(: the conversation)/, '$1'),
                })),
              },
        ),
      );
      const outer = engineOf(planner)(host);
      return Object.create(outer, {
        compress: {
          value: (messages: readonly Message[], asked?: CompressOptions) =>
            engineOf(planner)(host).compress(messages, asked),
        },
      });
    },
  },
  'puts a secret into its handoff': {
    masked: true,
    fails: [
      'invariant 8: leaks no secret to a summarizer, into new text, or into reports, events, errors and snapshots',
    ],
    create: engineOf((host) => ({
      ...dropOldest(host),
      async plan({ transcript, asked, state }) {
        const range = rangeToDrop(transcript, asked);
        if (!range) return { edits: [], state };
        const draft = new Draft(transcript);
        placeHandoff(draft, range, goneText(transcript, asked), { reason: { code: 'summarize' } });
        return { edits: draft.edits(), state };
      },
    })),
  },
  'puts a secret into a warning': {
    masked: true,
    fails: [
      'invariant 8: leaks no secret to a summarizer, into new text, or into reports, events, errors and snapshots',
    ],
    create: engineOf(
      altered((plan, transcript, asked) => ({
        ...plan,
        notes: { ...plan.notes, warnings: [goneText(transcript, asked)] },
      })),
    ),
  },
  'puts a secret into an event': {
    fails: [
      'invariant 8: leaks no secret to a summarizer, into new text, or into reports, events, errors and snapshots',
    ],
    create: engineOf(
      altered((plan, transcript, asked, host) => {
        host.emit({ type: 'warning', engine: 'broken', message: goneText(transcript, asked) });
        return plan;
      }),
    ),
  },
  'stores a secret in its state': {
    masked: true,
    fails: [
      'invariant 8: leaks no secret to a summarizer, into new text, or into reports, events, errors and snapshots',
    ],
    create: engineOf(
      altered((plan, transcript, asked) => ({
        ...plan,
        state: { ...plan.state, previous: goneText(transcript, asked) },
      })),
    ),
  },
  'cuts a text before it redacts it': {
    fails: [
      'invariant 8: leaks no secret to a summarizer, into new text, or into reports, events, errors and snapshots',
    ],
    create: engineOf(
      altered((plan, transcript, asked, host) => {
        const text = goneText(transcript, asked);
        const start = text.search(/OPENAI_API_KEY=|API_TOKEN=|Bearer /);
        return {
          ...plan,
          notes: { ...plan.notes, warnings: [host.redact(text.slice(Math.max(0, start), start + 45))] },
        };
      }),
    ),
  },
  'sends a secret to the summarizer': {
    fails: [
      'invariant 8: leaks no secret to a summarizer, into new text, or into reports, events, errors and snapshots',
    ],
    create: (host) => {
      const { summarizer } = host;
      let seen = '';
      const careless: EngineHost = {
        ...host,
        summarizer: summarizer && {
          id: summarizer.id,
          summarize: (request) => summarizer.summarize({ ...request, prompt: `${request.prompt}\n${seen}` }),
        },
      };
      const planner = dropOldest(careless);
      return createEngine(
        {
          ...planner,
          plan(input) {
            seen = goneText(input.transcript, input.asked);
            return planner.plan(input);
          },
        },
        careless,
        { name: 'broken' },
      );
    },
  },
  'does not report that the summarizer failed': {
    fails: ['invariant 9: never loses history to a failed summarizer without reporting it'],
    create: engineOf(
      altered((plan) => {
        const { outcome: _, ...rest } = plan;
        return { ...rest, notes: { ...plan.notes, failure: null } };
      }),
    ),
  },
  'grows the transcript because its counter ignores tool results': {
    fails: ['invariant 10: never makes the transcript larger, and reports its size correctly'],
    create(host) {
      const blind: EngineHost = {
        ...host,
        tokens: {
          ...host.tokens,
          countMessage: (message, options) =>
            message.role === 'tool' ? 1 : host.tokens.countMessage(message, options),
        },
      };
      return engineOf(
        altered((plan, transcript) => {
          const at = plainKept(plan, transcript, ({ role }) => role === 'tool');
          return at < 0 ? plan : { ...plan, edits: [...plan.edits, rewriteOf(at, 'again and '.repeat(4_000))] };
        }),
      )(blind);
    },
  },
  'calls a model despite free effort': {
    fails: ['free effort calls no model'],
    create: engineOf((host) => {
      const planner = dropOldest(host);
      return {
        ...planner,
        plan: (input) => planner.plan({ ...input, asked: { ...input.asked, effort: 'full' } }),
      };
    }),
  },
  'makes a different plan each time': {
    fails: [
      'the same transcript and options give the same plan',
      'a snapshot survives JSON, and an engine restored from it behaves the same',
    ],
    create: engineOf(
      altered((plan) =>
        withEdits(plan, (edit) => ({ ...edit, reasons: [{ code: 'summarize', note: `Tossed ${++tossed}.` }] })),
      ),
    ),
  },
  'stores data outside of its state': {
    fails: ['a snapshot survives JSON, and an engine restored from it behaves the same'],
    create(host) {
      let passes = 0;
      return engineOf(
        altered((plan) =>
          withEdits(plan, (edit) => ({ ...edit, reasons: [{ code: 'summarize', note: `Pass ${++passes}.` }] })),
        ),
      )(host);
    },
  },
  'states the wrong basis of its edits': {
    fails: ['a plan over the source keeps the contract with the source, and is smaller than the projection'],
    create: engineOf((host) => {
      const planner = dropOldest(host);
      const plan: typeof planner.plan = async (input) => {
        const made = await planner.plan(input);
        return input.source ? { ...made, basis: 'source' } : made;
      };
      return { ...planner, plan };
    }),
  },
  'loses the request when it plans over the source': {
    fails: ['a plan over the source keeps the contract with the source, and is smaller than the projection'],
    create: engineOf((host) => {
      const planner = dropOldestOfSource(host);
      const plan: typeof planner.plan = async (input) => {
        const made = await planner.plan(input);
        const withoutCarried = (edit: Edit): Edit =>
          edit.kind === 'replace' ? { ...edit, with: edit.with.map(({ handoff }) => ({ handoff, carry: [] })) } : edit;
        return made.basis === 'source' ? { ...made, edits: made.edits.map(withoutCarried) } : made;
      };
      return { ...planner, plan };
    }),
  },
  'never compacts': {
    fails: ['makes room: a long transcript far over its window gets smaller'],
    create: engineOf((host) => ({
      ...dropOldest(host),
      plan: async ({ state }) => ({ edits: [], state }),
    })),
  },
  'throws on invalid messages': {
    fails: ['rejects invalid messages with a clear error, and answers unknown tools and snapshots without throwing'],
    create(host) {
      const inner = engineOf(dropOldest)(host);
      return Object.create(inner, {
        compress: {
          value(messages: readonly Message[], asked?: CompressOptions) {
            if (!Array.isArray(messages)) throw new TypeError('messages is not iterable');
            return inner.compress(messages, asked);
          },
        },
      });
    },
  },
  'commits an aborted call': {
    fails: ['an abort leaves transcript and state unchanged'],
    create(host) {
      const inner = engineOf(dropOldest)(host);
      return Object.create(inner, {
        compress: {
          value: (messages: readonly Message[], { signal: _, ...request }: CompressOptions = {}) =>
            inner.compress(messages, request),
        },
      });
    },
  },
  'commits a plan that is held': {
    fails: ['a held plan changes the engine only when it is committed'],
    create(host) {
      const inner = engineOf(dropOldest)(host);
      return Object.create(inner, {
        compress: {
          value: (messages: readonly Message[], { hold: _, ...request }: CompressOptions = {}) =>
            inner.compress(messages, request),
        },
      });
    },
  },
};
