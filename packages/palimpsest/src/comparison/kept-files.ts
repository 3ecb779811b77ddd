import type { Message } from '@palimpsest/core';
import { type ChangedFile, filesChanged } from '@palimpsest/eval/continuation/changed-files';
import { placesOf } from '@palimpsest/eval/continuation/told-files';
import { textsIn } from './anchors.ts';
import { type NamedShare, namedShare } from './kept.ts';

/** Changed files by transcript: several engines run on one. */
const known = new WeakMap<readonly Message[], readonly ChangedFile[]>();

/** Counts the files that the agent changed and whose path is still in the output, in any message. */
export function keptFiles(input: readonly Message[], output: readonly Message[]): NamedShare {
  const files = known.get(input) ?? filesChanged(input);
  known.set(input, files);
  const text = output.flatMap(textsIn).join('\n');
  const found = files.filter(({ ending }) => placesOf(ending, text).length > 0);
  return namedShare(
    files.map(({ path }) => path),
    new Set(found.map(({ path }) => path)),
  );
}
