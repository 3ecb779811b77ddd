import { withoutListMark } from '@palimpsest/work-record';
import { fileOf, withNote } from '../record/list-files.ts';
import { plainItems, sectionItems } from '../template/section-items.ts';
import type { SectionRole } from '../template/section-role.ts';
import { contentWords, normalize, overlap } from './compare-words.ts';
import { counted, type Grounded, type GroundTruth, sectionText, withSection } from './grounded.ts';
import { unverifiedMark } from './mark-unverified.ts';

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
  const paths = new Set(listed.map((line) => fileOf(withoutListMark(line))));
  const notes = new Map<string, string>();
  const others: string[] = [];
  let invented = 0;
  for (const item of sectionItems(sectionText(sections, index, template))) {
    const path = pathOf(item, paths);
    if (path !== null) notes.set(path, item);
    else if (roles.own('files') === index && startsUnverified(item)) invented++;
    else others.push(item);
  }
  const own = listed.map((line) => {
    const path = fileOf(withoutListMark(line));
    const note = path === null ? undefined : notes.get(path);
    return note === undefined ? line : withNote(line, path!, withoutListMark(note));
  });
  return {
    sections: withSection(sections, index, [...own, ...others].join('\n')),
    warnings:
      invented === 0
        ? warnings
        : [...warnings, `${counted(invented, 'file')} of the summary that the session does not know left out.`],
  };
}

/** The record's path that an item is about; `null` if there is none. */
function pathOf(item: string, paths: ReadonlySet<string | null>): string | null {
  const subject = /^`?([^\s`]+)`?/.exec(withoutListMark(item))?.[1]?.replace(/[:,]$/, '');
  return subject !== undefined && paths.has(subject) ? subject : null;
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
  const words = plainItems(written).map(contentWords);
  const lost = lines(truth, role).filter((line) => {
    const text = withoutListMark(line);
    if (known.includes(normalize(text))) return false;
    // A decision may be in the model's own words. Verdicts must be exact.
    return role !== 'decisions' || !words.some((other) => overlap(contentWords(text), other) >= same);
  });
  if (lost.length === 0) return { sections, warnings };
  return { sections: withSection(sections, index, [...lost, written].filter(Boolean).join('\n')), warnings };
}

function lines({ record }: GroundTruth, role: SectionRole): readonly string[] {
  return record.items.get(role) ?? [];
}
