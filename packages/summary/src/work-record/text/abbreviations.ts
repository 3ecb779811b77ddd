/** Maximum length of an abbreviation, in characters. */
const maxAbbreviationLength = 12;

/**
 * Abbreviations, in lower case, whose full stops do not end a sentence. Does not include those that often do, such as
 * "etc.".
 */
const abbreviations: ReadonlySet<string> = new Set(
  [
    'e.g eg i.e ie vs cf approx dr mr mrs ms prof st fig figs eq sec ch vol ver incl resp dept est jr al viz nos pp ca',
    'bzw ggf inkl evtl nr abs bspw sog vgl zzgl abzgl str tel d.h z.b u.a o.\u00e4 usf zb',
    'mme mlle env p.ex ex art av \u00e9d',
    'sr sra srta dra p.ej ud uds aprox p\u00e1g ee.uu',
    'dott sig sig.ra ecc.a es pag ing avv',
    'bijv d.w.z o.a t.a.v i.p.v m.b.t resp zgn',
    't.ex bl.a dvs kl d.v.s f.eks bl.a',
    '\u0442.\u0435 \u0442.\u043a \u0442\u0430\u043a.\u043d\u0430\u0437 \u0433 \u0443\u043b \u0441\u0442\u0440 \u0440\u0438\u0441 \u043d\u0430\u043f\u0440 \u0438\u043c',
    'np tj m.in tzn ul prof godz',
    '\u03c0.\u03c7 \u03b4\u03b7\u03bb \u03b2\u03bb',
    'vb \u00f6r bkz',
  ]
    .join(' ')
    .split(' '),
);

/** Matches single letters with full stops between them, without the last one: `e.g`, `z. B`, `\u0442. \u0435`. */
const singleLetters: RegExp = /(?<![^\s(])[^\s.\d](?:\.\s?[^\s.\d])+$/;
const monthName: RegExp = /^(?:Jan|Feb|M\u00e4r|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/;

/**
 * True if the full stop at an offset belongs to an abbreviation, an initial or a German date.
 * @param next the beginning of the text after it, without leading spaces
 */
export function isAbbreviation(line: string, at: number, next: string): boolean {
  const before = line.slice(Math.max(0, at - maxAbbreviationLength), at);
  if (singleLetters.test(before)) return true;
  const word = /[^\s("'\u201c\u00ab[]+$/.exec(before)?.[0].toLowerCase() ?? '';
  if (abbreviations.has(word)) return true;
  // The first letter of "z. B." or "J. R. Smith".
  if (/^[a-z\u00aa-\u058f]$/.test(word)) return /^[^\s.\d]{1,2}\./.test(next);
  return /^\d{1,2}$/.test(word) && monthName.test(next);
}
