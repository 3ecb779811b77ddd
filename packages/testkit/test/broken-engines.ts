import {
  type CompressRequest,
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
import { type DropState, dropOldest, rangeToDrop } from './drop-oldest.ts';

/** An engine with one thing wrong, and the cases that have to say so. Every other case has to hold. */
export interface BrokenEngine {
  readonly fails: readonly string[];
  /** True when `createEngine` masks what is wrong, so that it shows with that switched off only. */
  readonly masked?: boolean;
  readonly create: (host: EngineHost) => ContextEngine;
}

type Alter = (
  plan: Plan<DropState>,
  transcript: Transcript,
  request: CompressRequest,
  host: EngineHost,
) => Plan<DropState>;

/** The correct planner with a last word on its plan. */
function altered(alter: Alter): (host: EngineHost) => EnginePlanner<DropState> {
  return (host) => {
    const planner = dropOldest(host);
    return {
      ...planner,
      async plan(input) {
        const plan = await planner.plan(input);
        return plan.edits.length === 0 ? plan : alter(plan, input.transcript, input.request, host);
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

/** The text of what the plan takes away, unredacted. */
function goneText(transcript: Transcript, request: CompressRequest): string {
  const [from, to] = rangeToDrop(transcript, request) ?? [0, 0];
  const gone =
    from === to ? [] : transcript.messages.slice(transcript.groups[from]!.from, transcript.groups[to - 1]!.to);
  const said = (message: Message): string => `${contentText(message.content).slice(0, 600)}\n`;
  return gone.map(said).join('').slice(0, 3_000);
}

/** A kept message that is neither system, nor request, nor under way; -1 when there is none. */
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
      !gone(index) && index < (transcript.inFlight?.from ?? transcript.length) && wanted(message, index),
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
  'throws now and then': {
    fails: ['answers every transcript with a result'],
    create: engineOf(
      altered((plan, { length }) => {
        if (length > 40) throw new Error('too long for me');
        return plan;
      }),
    ),
  },
  'keeps a state that is not JSON': {
    fails: ['answers every transcript with a result'],
    create: engineOf(altered((plan) => ({ ...plan, state: { passes: Number.NaN } }))),
  },
  'leaves a mark on its input': {
    fails: ['invariant 1: leaves its input as it was, and what it does not edit is the same object'],
    create: engineOf(
      altered((plan, { messages }) => {
        Object.assign(messages[0]!, { seen: true });
        return plan;
      }),
    ),
  },
  'gives back copies of what it keeps': {
    fails: ['invariant 1: leaves its input as it was, and what it does not edit is the same object'],
    create(host) {
      const inner = engineOf(dropOldest)(host);
      return Object.create(inner, {
        compress: {
          async value(messages: readonly Message[], request?: CompressRequest) {
            const result = await inner.compress(messages, request);
            const at = result.provenance.output.findIndex(
              (origin, index) =>
                origin.kind === 'original' &&
                result.messages[index]!.role === 'assistant' &&
                index < result.messages.length - 12,
            );
            if (at < 0 || result.outcome !== 'compressed') return result;
            return {
              ...result,
              messages: (result.messages as readonly Message[]).with(at, { ...(result.messages[at] as Message) }),
            };
          },
        },
      });
    },
  },
  'lets the tail begin anywhere': {
    fails: ['invariant 2: adds nothing that a provider refuses'],
    create: engineOf((host) => ({
      ...dropOldest(host),
      async plan({ transcript, state }) {
        const from = headEnd(transcript, 0);
        const last = transcript.inFlight ? transcript.groupOf(transcript.inFlight.from) : transcript.groups.length;
        const to = Math.min(last, from + Math.ceil((last - from) * 0.7));
        if (to <= from) return { edits: [], state };
        const draft = new Draft(transcript);
        placeHandoff(draft, [from, to], 'Gone.', { code: 'summarize' });
        // Without the answer that core keeps in front of the tail where it is needed.
        const [first, gap] = draft.edits();
        const merged =
          first?.kind === 'replace' && gap?.kind === 'replace'
            ? [{ ...first, groups: [first.groups[0], gap.groups[1]] as const }]
            : draft.edits();
        return { edits: merged, state };
      },
    })),
  },
  'forgets the request it takes along': {
    fails: ['invariant 3: the current request stands in the output word for word'],
    create: engineOf(
      altered((plan) =>
        withEdits(plan, (edit) => {
          if (edit.kind !== 'replace') return edit;
          return { ...edit, with: edit.with.map(({ handoff }) => ({ handoff, carry: [] })) };
        }),
      ),
    ),
  },
  'rewrites a text in parts': {
    fails: ['strings in, strings out: where every content is text, so is every content of the output'],
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
    fails: ['invariant 3: the current request stands in the output word for word'],
    create: engineOf(
      altered((plan, transcript) => {
        const at = plainKept(
          plan,
          transcript,
          (_, index) =>
            index >= (transcript.request?.from ?? Number.POSITIVE_INFINITY) && index < (transcript.request?.to ?? 0),
        );
        return at < 0 ? plan : { ...plan, edits: [...plan.edits, rewriteOf(at, '...')] };
      }),
    ),
  },
  'rewrites a system message': {
    fails: [
      'invariant 4: leading system messages are the same objects, later ones too unless something inserted stands for them',
    ],
    create: engineOf(
      altered((plan, { messages }) =>
        isSystem(messages[0]!) ? { ...plan, edits: [...plan.edits, rewriteOf(0, 'Be brief.')] } : plan,
      ),
    ),
  },
  'folds the exchange under way': {
    fails: ['invariant 5: the exchange under way at the end survives whole'],
    create: engineOf((host) => ({
      ...dropOldest(host),
      async plan(input) {
        const { transcript, state } = input;
        if (!transcript.inFlight) return dropOldest(host).plan(input);
        const draft = new Draft(transcript);
        placeHandoff(draft, [headEnd(transcript, 0), transcript.groups.length], 'Gone.', { code: 'summarize' });
        return { edits: draft.edits(), state };
      },
    })),
  },
  'stubs a result under way': {
    fails: ['invariant 5: the exchange under way at the end survives whole'],
    create: engineOf(
      altered((plan, { inFlight, length }) =>
        inFlight && inFlight.to - inFlight.from > 1
          ? { ...plan, edits: [...plan.edits, rewriteOf(length - 1, '[done]')] }
          : plan,
      ),
    ),
  },
  'says it carries what it dropped': {
    fails: ['invariant 6: every message has one outcome, the report counts it, and the edits tell it'],
    create(host) {
      const engine = engineOf(dropOldest)(host);
      return Object.create(engine, {
        compress: {
          value: async (messages: readonly Message[], request?: CompressRequest) => {
            const result = await engine.compress(messages, request);
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
  'never gets enough': {
    fails: ['invariant 7: the same request on its own output changes nothing'],
    create(host) {
      // No memory between calls, and a handoff that does not say how much followed it.
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
          value: (messages: readonly Message[], request?: CompressRequest) =>
            engineOf(planner)(host).compress(messages, request),
        },
      });
    },
  },
  'puts a secret into its handoff': {
    fails: ['invariant 8: no secret leaves: not to a summarizer, nor in what is written anew, said or kept'],
    create: engineOf((host) => ({
      ...dropOldest(host),
      async plan({ transcript, request, state }) {
        const range = rangeToDrop(transcript, request);
        if (!range) return { edits: [], state };
        const draft = new Draft(transcript);
        placeHandoff(draft, range, goneText(transcript, request), { code: 'summarize' });
        return { edits: draft.edits(), state };
      },
    })),
  },
  'says a secret in a warning': {
    masked: true,
    fails: ['invariant 8: no secret leaves: not to a summarizer, nor in what is written anew, said or kept'],
    create: engineOf(
      altered((plan, transcript, request) => ({
        ...plan,
        notes: { ...plan.notes, warnings: [goneText(transcript, request)] },
      })),
    ),
  },
  'says a secret in an event': {
    fails: ['invariant 8: no secret leaves: not to a summarizer, nor in what is written anew, said or kept'],
    create: engineOf(
      altered((plan, transcript, request, host) => {
        host.emit({ type: 'warning', engine: 'broken', message: goneText(transcript, request) });
        return plan;
      }),
    ),
  },
  'keeps a secret in its state': {
    masked: true,
    fails: ['invariant 8: no secret leaves: not to a summarizer, nor in what is written anew, said or kept'],
    create: engineOf(
      altered((plan, transcript, request) => ({
        ...plan,
        state: { ...plan.state, previous: goneText(transcript, request) },
      })),
    ),
  },
  'cuts a text before it redacts it': {
    fails: ['invariant 8: no secret leaves: not to a summarizer, nor in what is written anew, said or kept'],
    create: engineOf(
      altered((plan, transcript, request, host) => {
        const text = goneText(transcript, request);
        const start = text.search(/OPENAI_API_KEY=|API_TOKEN=|Bearer /);
        return {
          ...plan,
          notes: { ...plan.notes, warnings: [host.redact(text.slice(Math.max(0, start), start + 45))] },
        };
      }),
    ),
  },
  'shows a secret to the summarizer': {
    fails: ['invariant 8: no secret leaves: not to a summarizer, nor in what is written anew, said or kept'],
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
            seen = goneText(input.transcript, input.request);
            return planner.plan(input);
          },
        },
        careless,
        { name: 'broken' },
      );
    },
  },
  'says nothing of a summarizer that failed': {
    fails: ['invariant 9: a failing summarizer never costs history in silence'],
    create: engineOf(
      altered((plan) => {
        const { outcome: _, ...rest } = plan;
        return { ...rest, notes: { ...plan.notes, failure: null } };
      }),
    ),
  },
  'grows the transcript, by a counter that is blind to tool results': {
    fails: ['invariant 10: the output is no larger than the input, and the report says how large'],
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
  'asks a model when it was asked not to': {
    fails: ['free effort calls no model'],
    create: engineOf((host) => {
      const planner = dropOldest(host);
      return {
        ...planner,
        plan: (input) => planner.plan({ ...input, request: { ...input.request, effort: 'full' } }),
      };
    }),
  },
  'tosses a coin': {
    fails: [
      'the same transcript and request give the same plan',
      'a snapshot survives JSON, and an engine restored from it goes on alike',
    ],
    create: engineOf(
      altered((plan) =>
        withEdits(plan, (edit) => ({ ...edit, reasons: [{ code: 'summarize', note: `Tossed ${++tossed}.` }] })),
      ),
    ),
  },
  'keeps its memory outside of its state': {
    fails: ['a snapshot survives JSON, and an engine restored from it goes on alike'],
    create(host) {
      let passes = 0;
      return engineOf(
        altered((plan) =>
          withEdits(plan, (edit) => ({ ...edit, reasons: [{ code: 'summarize', note: `Pass ${++passes}.` }] })),
        ),
      )(host);
    },
  },
  'never does anything': {
    fails: ['makes room: a long transcript far over its window comes out smaller'],
    create: engineOf((host) => ({
      ...dropOldest(host),
      plan: async ({ state }) => ({ edits: [], state }),
    })),
  },
  'throws at what is no transcript': {
    fails: ['refuses what is no transcript with a clear error, and an unknown tool or snapshot without one'],
    create(host) {
      const inner = engineOf(dropOldest)(host);
      return Object.create(inner, {
        compress: {
          value(messages: readonly Message[], request?: CompressRequest) {
            if (!Array.isArray(messages)) throw new TypeError('messages is not iterable');
            return inner.compress(messages, request);
          },
        },
      });
    },
  },
  'keeps the pass of an aborted call': {
    fails: ['an abort leaves transcript and state as they were'],
    create(host) {
      const inner = engineOf(dropOldest)(host);
      return Object.create(inner, {
        compress: {
          value: (messages: readonly Message[], { signal: _, ...request }: CompressRequest = {}) =>
            inner.compress(messages, request),
        },
      });
    },
  },
};
