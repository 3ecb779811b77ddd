import { oneLine, truncate } from '@palimpsest/pruner/salience';
import type { Verdict } from '../work-record/verdicts/verdicts.ts';
import { type Item, item, verbatimItem } from './item.ts';
import type { MaterialRecord } from './material.ts';

/** How the last commands ended, the last folder and branch that calls name, and calls without a result. */
export function stateItems({ work, isSummarized }: MaterialRecord, earlier: readonly string[]): Item[] {
  const verdicts = work.verdicts.filter(({ index }) => isSummarized(index));
  const known = new Set(verdicts.map(({ family }) => `\`${oneLine(family)}\``));
  const { directory, branch } = work.state;
  const state = [
    ...(directory ? [{ index: directory.index, text: `last cd: ${directory.text}` }] : []),
    ...(branch ? [{ index: branch.index, text: `last branch: ${branch.text}` }] : []),
  ];
  const before = earlier.filter((text) => {
    const family = /^- (`[^`]{1,80}`) /.exec(text)?.[1];
    return family === undefined ? /^- last (?:cd|branch): /.test(text) && state.length === 0 : !known.has(family);
  });
  return [
    ...verdicts
      .filter(isTold)
      .map((verdict) => item('-', verdictForms(verdict), [...new Set([verdict.callIndex, verdict.index])])),
    ...state.filter(({ index }) => isSummarized(index)).map(({ index, text }) => item('-', [oneLine(text)], [index])),
    ...work.pendingCalls
      .filter(({ index }) => isSummarized(index))
      .map(({ index, text }) => item('-', [`Without a result: ${oneLine(text)}`], [index])),
    ...before.map((text) => verbatimItem(text)),
  ];
}

/** A run of which nothing says how it ended is a step. */
function isTold({ outcome, line }: Verdict): boolean {
  return outcome !== 'unknown' || line !== '';
}

function verdictForms({ family, command, outcome, line, failing, failingCount, newest }: Verdict): string[] {
  const said = outcome === 'unknown' ? 'ended' : outcome;
  const head = `\`${oneLine(family)}\` ${said}${newest ? '' : ' before, on more than was run since'}`;
  const short = line === '' ? head : `${head}: ${truncate(oneLine(line), 240)}`;
  const run = oneLine(command);
  const ran = run === '' || run === family ? '' : ` (ran: ${truncate(run, 120)})`;
  const names = failing.slice(0, 12).map(oneLine);
  const more = failingCount > names.length ? ` and ${failingCount - names.length} more` : '';
  const failed = names.length > 0 ? `; failing: ${names.join(', ')}${more}` : '';
  return [`${short}${failed}${ran}`, `${short}${failed}`, short];
}

/** The agent's task list, or that of the previous summary if there is no newer one. */
export function planItems({ work, isSummarized }: MaterialRecord, earlier: readonly string[]): Item[] {
  const { index, items, inProgress, pending } = work.todo;
  if (index < 0) return earlier.map((text) => verbatimItem(text));
  if (!isSummarized(index)) return [];
  const open = new Set([...inProgress.map((text) => `${oneLine(text)} (in progress)`), ...pending.map(oneLine)]);
  const done = items.filter(({ status }) => status === 'done').map(({ text }) => oneLine(text));
  const count = `${done.length} of ${items.length} items of the task list are done`;
  return [
    ...[...open].map((text) => item('-', [text], [index])),
    ...(done.length > 0 ? [item('-', [`${count}: ${done.join('; ')}`, count], [index])] : []),
  ];
}
