import { count, formatCount } from '@palimpsest/command-line/count';
import { dollars } from '../../printing/dollars.ts';
import { bestEngine, type Candidate, isCheaper } from './better-engine.ts';
import { joinWords, type Words, word, words } from './words.ts';

/** One session, or several together, without an engine. */
export interface WithoutEngine {
  /** The cost in dollars. */
  readonly price: number;
  readonly requests: number;
  /** Number of requests that do not fit the window. */
  readonly over: number;
}

/** What an engine is chosen from. */
export interface Choices {
  readonly candidates: readonly Candidate[];
  /** `null` if it is not known what happens without an engine. */
  readonly without: WithoutEngine | null;
  /** True if prices are dollars, false if they are tokens. */
  readonly isPriced: boolean;
}

/** The engine that was chosen, and why. */
export interface Choice {
  /** `null` if no engine is better than all others. */
  readonly best: string | null;
  readonly sentences: readonly Words[];
}

/** Says what engines gain over none, and chooses one by the rule in `better-engine.ts`. */
export function chooseEngine({ candidates, without, isPriced }: Choices): Choice {
  const usable = candidates.filter((one) => one.isUsable).sort((a, b) => a.price - b.price);
  const [cheapest] = usable;
  if (!cheapest) return { best: null, sentences: [words`No engine leaves prompts that a provider accepts.`] };
  if (without?.over === 0 && !isCheaper(cheapest.price, without.price))
    return {
      best: null,
      sentences: [
        words`No engine is needed so far: every request fits the window, and no engine saves 10 % of the cost.`,
      ],
    };
  const best = bestEngine(candidates);
  const gain = without ? [explainGain(without, candidates, best ?? cheapest)] : [];
  if (best) return { best: best.engine, sentences: [...gain, ...explainChoice(best, candidates, isPriced)] };
  return { best: null, sentences: usable.length > 1 ? [...gain, explainTie(usable, isPriced)] : gain };
}

/** What is gained over no engine. */
function explainGain(
  { over, price, requests }: WithoutEngine,
  candidates: readonly Candidate[],
  best: Candidate,
): Words {
  if (over === 0)
    return words`Every request fits the window, and ${word('engine', best.engine)} saves ${share(best.price, price)} of the cost.`;
  const fitting = candidates.filter((one) => one.isUsable);
  const names = joinWords(fitting.map(({ engine }) => word('engine', engine)));
  return words`Without compaction, ${count(over)} of ${formatCount(requests, 'request')} would not fit the window; with ${fitting.length > 1 && fitting.length === candidates.length ? 'each engine' : names}, all do.`;
}

function explainChoice(best: Candidate, candidates: readonly Candidate[], isPriced: boolean): readonly Words[] {
  const others = candidates.filter((one) => one.isUsable && one !== best).sort((a, b) => a.price - b.price);
  const [other] = others;
  const reason = !other
    ? words`is the only one whose prompts a provider accepts`
    : isCheaper(best.price, other.price)
      ? words`${isPriced ? 'is cheaper' : 'leaves less'}: ${prices(best.price, other.price, isPriced)}${others.length > 1 ? words` with ${word('engine', other.engine)}` : []}`
      : words`keeps more for about the same ${isPriced ? 'cost' : 'size'}`;
  return [
    words`${word('winner', best.engine)} ${reason}.`,
    ...others.flatMap((one) => whenToChoose(one, best, isPriced)),
  ];
}

function prices(price: number, other: number, isPriced: boolean): string {
  return isPriced
    ? `${dollars(price)} instead of ${dollars(other)}`
    : `${count(price)} instead of ${count(other)} tokens`;
}

/** How much less than `whole` a price is. Rounded down, so that the dollars shown never give a smaller share. */
function share(price: number, whole: number): string {
  return `${Math.floor((1 - price / whole) * 100 + 1e-9)} %`;
}

/** What is compared, and its name for one and for several. */
const kinds = [
  ['changedFiles', 'changed file', 'changed files'],
  ['userMessages', 'message of the user', 'messages of the user'],
  ['names', 'exact name', 'exact names'],
] as const;

/** When to choose another engine than the best one; nothing if it is better at nothing. */
function whenToChoose(other: Candidate, best: Candidate, isPriced: boolean): readonly Words[] {
  const more = kinds.filter(([kind]) => other.kept[kind].kept > best.kept[kind].kept).map(([, , several]) => several);
  const what = [...more, ...(other.price < best.price ? [isPriced ? 'cost' : 'size'] : [])];
  if (what.length === 0) return [];
  const list = joinWords(
    what.map((text) => word('text', text)),
    ', ',
    ' or ',
  );
  return [
    words`Choose ${word('engine', other.engine)} if ${list} ${what.at(-1)!.endsWith('s') ? 'matter' : 'matters'} more.`,
  ];
}

/** Says what each engine is ahead in. @param usable the cheapest first */
function explainTie(usable: readonly Candidate[], isPriced: boolean): Words {
  const [cheapest, ...others] = usable as [Candidate, Candidate, ...Candidate[]];
  const dearest = others.at(-1)!;
  const saving = share(cheapest.price, dearest.price);
  const than = ({ engine }: Candidate): Words => (usable.length > 2 ? words` than ${word('engine', engine)}` : []);
  const ahead = [
    ...(saving === '0 %'
      ? []
      : [words`${word('engine', cheapest.engine)} ${isPriced ? 'costs' : 'leaves'} ${saving} less${than(dearest)}`]),
    ...kinds.flatMap(([kind, one, several]) => {
      const sorted = [...usable].sort((a, b) => b.kept[kind].kept - a.kept[kind].kept);
      const least = sorted.at(-1)!;
      const most = sorted.filter((other) => other.kept[kind].kept === sorted[0]!.kept[kind].kept);
      const more = most[0]!.kept[kind].kept - least.kept[kind].kept;
      if (more === 0) return [];
      const names = joinWords(most.map(({ engine }) => word('engine', engine)));
      const noun = more === 1 ? one : several;
      return [words`${names} ${most.length > 1 ? 'keep' : 'keeps'} ${count(more)} more ${noun}${than(least)}`];
    }),
  ];
  const either = usable.length > 2 ? 'Each of them works' : 'Either works';
  return ahead.length === 0 ? words`${either}: nothing differs.` : words`${either}: ${joinWords(ahead)}.`;
}
