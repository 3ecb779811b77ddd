import { isCollection, isMap, isPair, isScalar, LineCounter, parseDocument } from 'yaml';

/**
 * What a configuration text is wrong about, without any of the text: it may hold secrets. There is no `cause`, because a
 * parser's own error quotes what it read.
 */
export class ConfigSyntaxError extends Error {}

/**
 * A YAML text as a value.
 * @throws {ConfigSyntaxError} with the line and column
 */
export function parseYaml(text: string): unknown {
  const lines = new LineCounter();
  try {
    // The parser's own check for keys that repeat compares each with all before it: minutes for 100,000 of them.
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
    const [error] = document.errors;
    if (error) throw new ConfigSyntaxError(`${wordsOf(error.code, error.message)}${place(lines, error.pos[0])}`);
    const repeated = repeatedKey(document.contents);
    if (repeated !== null) throw new ConfigSyntaxError(`Map keys must be unique${place(lines, repeated)}`);
    // Aliases are expanded at most this often, so that a small file cannot become a large one.
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    if (error instanceof ConfigSyntaxError) throw error;
    const tooDeep = error instanceof RangeError;
    throw new ConfigSyntaxError(tooDeep ? 'It is nested too deeply' : wordsOf('', (error as Error).message));
  }
}

/**
 * A JSON text as a value; `undefined` for an empty one.
 * @throws {ConfigSyntaxError} with the line and column, where the engine tells
 */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const at = / in JSON at position (\d+)| at position (\d+)/.exec(message);
    const quoted = /"([\s\S]*)"(?:\.{3})? is not valid JSON$/.exec(message)?.[1];
    const offset = at ? Number(at[1] ?? at[2]) : offsetOf(text, quoted);
    // V8 quotes what stands around the place, behind a comma.
    const words = message.slice(0, at?.index).replace(/, (?:\.{3})?"[\s\S]*$/, '');
    throw new ConfigSyntaxError(offset === null ? words : `${words}${lineAndColumn(text, offset)}`);
  }
}

/** Where what V8 quotes stands: ten characters before and behind the one it stumbled over. */
function offsetOf(text: string, quoted: string | undefined): number | null {
  if (quoted === undefined || quoted.length < 3) return null;
  const from = text.indexOf(quoted);
  if (from < 0 || text.includes(quoted, from + 1)) return null;
  return from === 0 ? null : Math.min(text.length - 1, from + 10);
}

function lineAndColumn(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return ` at line ${before.split('\n').length}, column ${offset - before.lastIndexOf('\n')}`;
}

function place(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return ` at line ${line}, column ${col}`;
}

/** Codes of the parser whose sentences name what stands in the file. */
const ownWords: Readonly<Record<string, string>> = {
  TAG_RESOLVE_FAILED: 'A tag cannot be resolved',
  BAD_COLLECTION_TYPE: 'A tag does not fit what it stands before',
  BAD_DIRECTIVE: 'A directive is not valid',
  BAD_DQ_ESCAPE: 'An escape sequence is not valid',
};

/** A parser's sentence without what it quotes. */
function wordsOf(code: string, message: string): string {
  if (Object.hasOwn(ownWords, code)) return ownWords[code]!;
  return message
    .split('\n')[0]!
    .replace(/: .*$/, '')
    .replace(/"[^"]*"/g, '')
    .trim();
}

/** Offset of a key that stands twice in one map, or `null`. Not recursive, and linear. */
function repeatedKey(root: unknown): number | null {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const node = open.pop();
    if (isPair(node)) open.push(node.key, node.value);
    if (!isCollection(node)) continue;
    const seen = new Set<unknown>();
    for (const item of node.items) {
      open.push(item);
      if (!isMap(node) || !isPair(item) || !isScalar(item.key)) continue;
      if (seen.has(item.key.value)) return item.key.range?.[0] ?? 0;
      seen.add(item.key.value);
    }
  }
  return null;
}
