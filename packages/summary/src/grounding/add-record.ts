import { isOfUser } from '../record/list-decisions.ts';
import { fileOf, withNote } from '../record/list-files.ts';
import { plainItems, sectionItems } from '../template/section-items.ts';
import type { SectionRole } from '../template/section-role.ts';
import { withoutListMark } from '../work-record/text/sentences.ts';
import { contentWords, normalize, overlap } from './compare-words.ts';
import { counted, type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';
import { unverifiedMark } from './mark-unverified.ts';
import { withoutSummaryMark } from './rule-item.ts';

/** Share of common words from which two texts count as saying the same. */
const same = 0.5;

/**
 * Adds the record to a model's summary. The user's messages and the changed files come from rules; verdicts, plan and
 * decisions precede the model's text about them. A model can add notes to a file, but cannot omit or invent one.
 */
export function addRecord(grounded: Grounded, truth: GroundTruth): Grounded {
  return [addLog, addFiles, addLists].reduce((current, step) => step(current, truth), grounded);
}

/** Replaces the list of the user's messages by the record's list. */
function addLog(grounded: Grounded, truth: GroundTruth): Grounded {
  const index = truth.roles.own('log');
  if (index < 0) return addList(grounded, 'log', truth);
  return { ...grounded, sections: withSection(grounded.sections, index, lines(truth, 'log').join('\n')) };
}

/**
 * Lists the changed files with the model's notes, then the model's items about other files that occur in the session.
 */
function addFiles({ sections, warnings }: Grounded, truth: GroundTruth): Grounded {
  const { template, roles } = truth;
  const index = roles.place('files');
  const listed = lines(truth, 'files');
  const pathOf = pathFinder(listed.flatMap((line) => fileOf(withoutListMark(line)) ?? []));
  const notes = new Map<string, FileItem>();
  const others: string[] = [];
  let invented = 0;
  for (const item of sectionItems(sectionText(sections, index, template))) {
    const named = subjectOf(item);
    const path = named && pathOf(named);
    if (path) notes.set(path, { named, text: withoutListMark(item) });
    else if (roles.own('files') === index && startsUnverified(item)) invented++;
    else others.push(item);
  }
  const own = listed.map((line) => {
    const path = fileOf(withoutListMark(line));
    const note = path === null ? undefined : notes.get(path);
    return note === undefined ? line : withNote(line, note.named, note.text);
  });
  return {
    sections: withSection(sections, index, [...own, ...others].join('\n')),
    warnings:
      invented === 0
        ? warnings
        : [...warnings, `${counted(invented, 'file')} of the summary that the session does not know left out.`],
  };
}

/** An item of the list of files, and the file's name in it. */
interface FileItem {
  readonly named: string;
  readonly text: string;
}

/** The name at the beginning of an item. */
function subjectOf(item: string): string | undefined {
  return /^`?([^\s`]+)`?/.exec(withoutListMark(item))?.[1]?.replace(/[:,]$/, '');
}

/** Returns a function that finds the record's path for a name: the same path, or the only one that ends with the name. */
function pathFinder(paths: readonly string[]): (named: string) => string | undefined {
  const known = new Set(paths);
  const byName = new Map<string, string[]>();
  for (const path of known) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const alike = byName.get(name);
    if (alike) alike.push(path);
    else byName.set(name, [path]);
  }
  return (named) => {
    const bare = named.replace(/^\.\//, '');
    if (known.has(bare)) return bare;
    const end = `/${bare}`;
    const [first, second] = (byName.get(bare.slice(bare.lastIndexOf('/') + 1)) ?? []).filter((path) =>
      path.endsWith(end),
    );
    return second === undefined ? first : undefined;
  };
}

function startsUnverified(item: string): boolean {
  const text = withoutListMark(item);
  const at = text.indexOf(unverifiedMark);
  return at > 0 && !/\s/.test(text.slice(0, at).replaceAll('`', ''));
}

/** Adds verdicts, plan and decisions before the model's text in their sections. */
function addLists(grounded: Grounded, truth: GroundTruth): Grounded {
  return (['state', 'remaining', 'decisions'] as const).reduce(
    (current, role) => addList(current, role, truth),
    grounded,
  );
}

function addList({ sections, warnings }: Grounded, role: SectionRole, truth: GroundTruth): Grounded {
  const { template, roles } = truth;
  const index = roles.place(role);
  const written = sectionText(sections, index, template);
  const known = normalize(written);
  const words = plainItems(written).map((item) => contentWords(withoutSummaryMark(item)));
  const lost = lines(truth, role).filter((line) => {
    const text = withoutListMark(line);
    if (known.includes(normalize(text))) return false;
    // A decision of the agent may be in the model's own words. Decisions of the user and verdicts must be exact.
    return role !== 'decisions' || isOfUser(text) || !words.some((other) => overlap(contentWords(text), other) >= same);
  });
  if (lost.length === 0) return { sections, warnings };
  return { sections: withSection(sections, index, [...lost, written].filter(Boolean).join('\n')), warnings };
}

function lines({ record }: GroundTruth, role: SectionRole): readonly string[] {
  return record.items.get(role) ?? [];
}
