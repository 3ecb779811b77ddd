import { gatherCorpus } from '@palimpsest/fit-weights/corpus';
import { hashName, pieces, type Sample } from '@palimpsest/fit-weights/samples';
import { random } from '@palimpsest/fit-weights/synthetic';
import { readTranscriptTexts } from '@palimpsest/fit-weights/transcript-texts';

/** Kinds to report: the languages with an accuracy target, and other kinds, with all programming languages merged. */
const shown: ReadonlySet<string> = new Set([
  ...'transcript prose code json log diff base64 hex emoji markdown table terminal'.split(' '),
  ...'zh ja ko ru ar hi th de fr es it pl pt tr cs he'.split(' ').map((language) => `lang-${language}`),
]);
const kindOf = (kind: string): string => (kind.startsWith('code-') ? 'code' : kind);

/**
 * Returns message-sized samples from the half of the corpus and transcripts that the weights were not fitted on: at most
 * `perKind` per kind (eight times as many from transcripts).
 * @param roots folders with unpacked packages, for languages without text on this machine
 */
export function selectUnseen(dataFolder: string | null, roots: readonly string[], perKind: number): Sample[] {
  const found = new Map<string, string[]>();
  const add = (kind: string, name: string, source: string, texts: readonly string[]): void => {
    if (!shown.has(kindOf(kind)) || (hashName(`${kind}/${source}`) & 1) === 0) return;
    const list = found.get(kindOf(kind)) ?? [];
    found.set(kindOf(kind), list);
    const next = random(hashName(name));
    for (const text of texts) list.push(...pieces(text, next));
  };
  for (const { id, texts } of dataFolder ? readTranscriptTexts(dataFolder) : [])
    add('transcript', `${id}.json`, sourceOf(`${id}.json`), texts);
  gatherCorpus({ roots, dataFolder, perKind: 400_000 }, (kind, name, text) =>
    add(kind, `${name}.txt`, sourceOf(`${name}.txt`), [text]),
  );
  return [...found].flatMap(([kind, list]) => {
    const next = random(hashName(kind));
    const drawn = list.map((text) => ({ text, order: next() })).sort((a, b) => a.order - b.order);
    return drawn
      .slice(0, kind === 'transcript' ? perKind * 8 : perKind)
      .map(({ text }) => ({ kind, text, fitted: false }));
  });
}

/** Returns the part of a document's name that determines its half, as in `readSamples`. */
function sourceOf(name: string): string {
  const source = name.replace(/-[^-]*$/, '');
  return source.length > 12 ? source : name;
}
