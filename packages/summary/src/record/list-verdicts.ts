import { oneLine, truncate } from '@palimpsest/pruner/salience';
import type { Verdict } from '../work-record/verdicts/verdicts.ts';
import { ListEntry, type ShortenableList } from './fit-list.ts';
import { leftOutNote, splitLeftOut } from './left-out.ts';

/** Maximum length of the command and of the output line in an item. Characters. */
const longestCommand = 120;
const longestLine = 240;
const mostNames = 12;

const leftOut = leftOutNote('more result of commands', 'more results of commands');

const verdictItem: RegExp = /^`([^`]{1,80})` (?:passed|failed|ended)\b/;

/**
 * Lists how the last command of each tool family ended, failed ones first. Earlier verdicts stay for families that were
 * not run again.
 */
export function verdictList(verdicts: readonly Verdict[], earlier: readonly string[]): ShortenableList {
  const again = new Set(verdicts.map(({ family }) => oneLine(family)));
  const before = earlier.filter((item) => {
    const family = verdictItem.exec(item)?.[1];
    return family !== undefined && !again.has(family);
  });
  return {
    entries: [
      ...verdicts.map(
        (verdict) =>
          new ListEntry('-', () => verdictForms(verdict), [[...new Set([verdict.callIndex, verdict.index])]]),
      ),
      ...before.map((item) => new ListEntry('-', () => [item])),
    ],
    keep: 'first',
    leftOutBefore: splitLeftOut(earlier, leftOut, String).count,
    leftOut: (count) => [leftOut.line(count)],
  };
}

function verdictForms({ family, command, outcome, line, failing, failingCount, newest }: Verdict): string[] {
  const said = outcome === 'unknown' ? 'ended' : outcome;
  const head = `\`${oneLine(family)}\` ${said}${newest ? '' : ' before, on more than was run since'}`;
  const short = line === '' ? head : `${head}: ${truncate(oneLine(line), longestLine)}`;
  const run = oneLine(command);
  const ran = run === '' || run === family ? '' : ` (ran: ${truncate(run, longestCommand)})`;
  const names = failing.slice(0, mostNames).map(oneLine);
  const more = failingCount > names.length ? ` and ${failingCount - names.length} more` : '';
  const failed = names.length > 0 ? `; failing: ${names.join(', ')}${more}` : '';
  return [...new Set([`${short}${failed}${ran}`, `${short}${failed}`, short])];
}
