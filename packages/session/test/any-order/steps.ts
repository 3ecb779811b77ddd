import fc from 'fast-check';
import type { ProviderFailure } from '../../src/failure/provider-failure.ts';
import { settle, type World, windowTokens } from './world.ts';

const unknown = { limitTokens: null, promptTokens: null, outputTokens: null, limitBytes: null, limitPixels: null };
const tooLong: ProviderFailure = { ...unknown, class: 'context-overflow', action: 'compact', status: 400 };
const rateLimit: ProviderFailure = { ...unknown, class: 'rate-limit', action: 'none', status: 429 };

/** Whether a request is open: the state of the world that decides which steps are possible. */
interface Model {
  isOpen: boolean;
}

type Step = fc.AsyncCommand<Model, World>;

interface StepDefinition {
  readonly name: string;
  /** True for a step that needs an open request. @default both */
  readonly isOpen?: boolean;
  run(world: World): Promise<void>;
}

function step({ name, isOpen, run }: StepDefinition): Step {
  return {
    toString: () => name,
    check: (model) => isOpen === undefined || model.isOpen === isOpen,
    async run(model, world) {
      await run(world);
      await settle();
      model.isOpen = world.open !== null;
    },
  };
}

/** The provider has answered the open request. */
function answered({ open, session, pages }: World, cachedShare: number): void {
  const tokens = open!.info.tokens;
  const usage = { promptTokens: tokens, completionTokens: 20, cachedTokens: Math.floor(tokens * cachedShare) };
  session.afterResponse(usage, open!, pages.source);
}

const answer = (cachedShare: number): Step =>
  step({
    name: 'answer',
    async run(world) {
      if (!world.open) await world.send();
      world.main.answer();
      answered(world, cachedShare);
      world.open = null;
    },
  });

const work = (sizes: readonly number[], cachedShare: number): Step =>
  step({
    name: `work(${sizes})`,
    async run(world) {
      if (!world.open) await world.send();
      world.main.work(sizes);
      answered(world, cachedShare);
      world.open = null;
    },
  });

const fixed: readonly StepDefinition[] = [
  { name: 'send', isOpen: false, run: (world) => world.send() },
  {
    name: 'refuse: too long',
    isOpen: true,
    async run(world) {
      const { open, session } = world;
      world.open = null;
      world.noteRules();
      const { retry } = await world.inTime(session.recover(tooLong, open!));
      world.main.sent = null;
      if (retry) await world.send();
    },
  },
  {
    name: 'refuse: too long, in the stream',
    isOpen: true,
    async run(world) {
      world.session.noteRefusal(tooLong, world.open!);
      world.isRefused = true;
      world.open = null;
    },
  },
  {
    name: 'refuse: rate limit',
    isOpen: true,
    async run(world) {
      await world.inTime(world.session.recover(rateLimit, world.open!));
      world.open = null;
    },
  },
  { name: 'side request', run: (world) => sideRequest(world, false) },
  { name: 'refused side request', run: (world) => sideRequest(world, true) },
  { name: 'page arrives', run: async ({ pages }) => pages.open[0]?.arrive() },
  { name: 'page fails', run: async ({ pages }) => pages.open[0]?.fail() },
  {
    name: 'undo',
    isOpen: false,
    async run(world) {
      await world.inTime(world.session.undo());
      world.pages.forget();
      // It is the last request that was compacted less.
      for (const one of [world.main, world.other]) if (one) one.sent = null;
    },
  },
  {
    name: 'compact',
    isOpen: false,
    async run({ pages, main, session }) {
      pages.isQuick = true;
      await session.compact({ messages: main.history });
      pages.isQuick = false;
      main.sent = null;
    },
  },
  {
    name: 'tidy',
    isOpen: false,
    async run(world) {
      if (await world.inTime(world.session.tidy(world.main.history))) world.main.sent = null;
    },
  },
  {
    name: 'reset',
    isOpen: false,
    async run(world) {
      await world.inTime(world.session.reset());
      world.begin();
    },
  },
  { name: 'restart', isOpen: false, run: async (world) => world.start() },
  { name: 'other conversation', isOpen: false, run: async (world) => world.switch() },
];

/** A request for a title, while the conversation goes on. */
async function sideRequest({ session, isKnown }: World, isRefused: boolean): Promise<void> {
  if (!isKnown) return;
  const request = await session.beforeRequest([{ role: 'user', content: 'Write a title.' }]);
  if (isRefused) session.noteRefusal(tooLong, request);
  else session.afterResponse({ promptTokens: 12, completionTokens: 5 }, request);
}

const time = (milliseconds: number): Step =>
  step({ name: `time(${milliseconds})`, run: async ({ clock }) => clock.advance(milliseconds) });

const share = fc.constantFrom(0, 0.9);
const named = (name: string): Step => step(fixed.find((one) => one.name === name)!);
const rare = fixed.filter(({ name }) => name !== 'send' && name !== 'page arrives').map(({ name }) => named(name));
/** Results of so many tokens. */
const usual = fc.array(fc.constantFrom(100, 400, 900), { minLength: 1, maxLength: 3 });
const large = fc.constantFrom(2_000, windowTokens * 0.4, windowTokens * 0.8).map((tokens) => [tokens]);

/** The steps of a session, in any order. */
export const steps = fc.commands<Model, World, false>(
  [
    fc.constant(named('send')),
    share.map(answer),
    fc.tuple(usual, share).map(([sizes, cached]) => work(sizes, cached)),
    fc.tuple(usual, share).map(([sizes, cached]) => work(sizes, cached)),
    fc.tuple(large, share).map(([sizes, cached]) => work(sizes, cached)),
    fc.constant(named('page arrives')),
    fc.constantFrom(...rare),
    fc.constantFrom(1_000, 60_000, 200_000).map(time),
  ],
  { maxCommands: 40, size: 'max' },
);
