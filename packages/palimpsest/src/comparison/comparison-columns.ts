import { count, formatCount } from '@palimpsest/command-line/count';
import type { Share } from '../measuring/kept.ts';
import type { Column } from '../printing/columns.ts';
import { dollars } from '../printing/dollars.ts';
import { tokenAmount } from '../printing/token-amount.ts';
import type { ComparedEngine, ComparedSample } from './to-comparison.ts';

/** The heading of a column on one line. */
export function headingOf({ heading }: Pick<ComparisonColumn, 'heading'>): string {
  return heading.replace('\n', ' ').trim();
}

/** A sample's size and the chosen window, in words. */
export function comparisonHeading({ tokens, messages, window }: ComparedSample): string {
  return `${count(tokens)} tokens in ${formatCount(messages, 'message')}, window ${tokenAmount(window.tokens)}, ${windowNotes[window.by]}`;
}

const windowNotes: Readonly<Record<ComparedSample['window']['by'], string>> = {
  given: 'as given',
  outgrown: 'the largest that it outgrows',
  smallest: 'the smallest; it fits',
};

/** A column of the comparison. */
export interface ComparisonColumn extends Column<ComparedEngine> {
  /** Where a terminal shows it: `always`, if it is `wide`, or if a value is `notable`. @default on no terminal */
  readonly terminal?: 'always' | 'wide' | 'notable';
  /** True for a value that is a problem. */
  isBad?(row: ComparedEngine): boolean;
  /** True for a value that has to be looked at. */
  isNotable?(row: ComparedEngine): boolean;
  /** How good a value is; more is better. */
  rank?(row: ComparedEngine): number;
}

/** What a column of the replay shows for an engine without one. */
const notReplayed = 'unknown';

/** The columns of the comparison. A page shows all of them. */
export const comparisonColumns: readonly ComparisonColumn[] = [
  {
    heading: '\nengine',
    align: 'left',
    terminal: 'always',
    cell: (row) => row.engine,
    isBad: (row) => row.outcome === 'failed',
  },
  {
    heading: '\nthreshold',
    cell: (row) => (row.reachedThreshold ? count(row.thresholdTokens) : `${count(row.thresholdTokens)} (not reached)`),
  },
  {
    heading: 'tokens\nleft',
    terminal: 'always',
    cell: (row) => `${count(row.tokensAfter)}${row.fitsWindow ? '' : ' (over the window)'}`,
    isBad: (row) => !row.fitsWindow,
    rank: (row) => -row.tokensAfter,
  },
  { heading: '\nsaved', terminal: 'wide', cell: formatSaving, rank: (row) => row.savedPercent },
  {
    heading: '\ncompactions',
    terminal: 'always',
    cell: (row) => (row.replay ? count(row.replay.compactions) : notReplayed),
    rank: (row) => -(row.replay?.compactions ?? 0),
  },
  {
    heading: '\ncost',
    terminal: 'always',
    cell: (row) => (row.replay ? dollars(row.replay.dollars) : notReplayed),
    rank: (row) => -(row.replay?.dollars ?? 0),
  },
  {
    heading: 'tokens\nsent',
    terminal: 'wide',
    cell: (row) => (row.replay ? count(row.replay.sentTokens) : notReplayed),
    rank: (row) => -(row.replay?.sentTokens ?? 0),
  },
  {
    heading: 'largest\nprompt',
    terminal: 'wide',
    cell: (row) => (row.replay ? count(row.replay.largestPrompt) : notReplayed),
    isBad: (row) => (row.replay?.overWindow ?? 0) > 0,
    rank: (row) => -(row.replay?.largestPrompt ?? 0),
  },
  { heading: '\nmessages', cell: (row) => `${row.messagesBefore} -> ${row.messagesAfter}` },
  {
    heading: 'model\ncalls',
    terminal: 'notable',
    cell: (row) => String(row.modelCalls),
    isNotable: (row) => row.modelCalls > 0,
  },
  shareColumn('user\nmessages', (row) => row.kept.userMessages),
  shareColumn('changed\nfiles', (row) => row.kept.changedFiles),
  shareColumn('exact\nnames', (row) => row.kept.names),
  {
    heading: 'task',
    terminal: 'notable',
    cell: (row) => (row.taskKept === null ? 'none' : row.taskKept ? 'kept' : 'LOST'),
    isBad: (row) => row.taskKept === false,
    isNotable: (row) => row.taskKept === false,
  },
  {
    heading: 'wire\nviolations',
    terminal: 'notable',
    cell: (row) => String(row.wireViolations),
    isBad: (row) => row.wireViolations > 0,
    isNotable: (row) => row.wireViolations > 0,
  },
  {
    heading: '\nms',
    terminal: 'wide',
    cell: (row) => (row.milliseconds < 10 ? row.milliseconds.toFixed(1) : count(row.milliseconds)),
  },
];

/** What an engine saves, in percent. */
export function formatSaving({ savedPercent }: ComparedEngine): string {
  return `${savedPercent.toFixed(1)} %`;
}

/** What the costs are. */
export function costNote({
  prices: { input, output, cacheRead, cacheWrite },
  recorded,
  engines,
}: ComparedSample): string {
  const price = (amount: number): string => `$${amount.toFixed(2)}`;
  const without = recorded ? `; without an engine: ${dollars(recorded.dollars)}` : '';
  const isByModel = engines.some(({ replay }) => replay !== null && replay.pages > 0);
  const pages = isByModel ? `, handoffs by a model at ${price(output)}` : '';
  return `cost: all input at ${price(input)}/M tokens, ${price(cacheRead)} cached, ${price(cacheWrite)} written to the cache${pages}${without}`;
}

function shareColumn(heading: string, share: (row: ComparedEngine) => Share): ComparisonColumn {
  return {
    heading,
    terminal: 'always',
    cell: (row) => {
      const { kept, of } = share(row);
      return of === 0 ? 'none' : `${kept} of ${of}`;
    },
    rank: (row) => share(row).kept,
  };
}
