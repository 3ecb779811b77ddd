import { isCollection, isMap, isPair, isScalar, LineCounter, parseDocument } from 'yaml';

/**
 * A syntax error in a configuration file. The message quotes none of the text, because it may contain secrets. There is
 * no `cause`, because the parser's own error quotes its input.
 */
class ConfigSyntaxError extends Error {}

/**
 * Parses YAML.
 * @throws {ConfigSyntaxError} with the line and column
 */
export function parseYaml(text: string): unknown {
  const lines = new LineCounter();
  try {
    // The parser's own check for repeated keys is quadratic: it takes minutes for 100,000 keys.
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
    const [error] = document.errors;
    if (error) throw new ConfigSyntaxError(`${wordsOf(error.code, error.message)}${place(lines, error.pos[0])}`);
    const repeated = findRepeatedKey(document.contents);
    if (repeated !== null) throw new ConfigSyntaxError(`A key occurs twice${place(lines, repeated)}`);
    // Limits alias expansion, so that a small file cannot expand to a huge value.
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    if (error instanceof ConfigSyntaxError) throw error;
    const tooDeep = error instanceof RangeError;
    throw new ConfigSyntaxError(tooDeep ? 'It is nested too deeply' : wordsOf('', (error as Error).message));
  }
}

/**
 * Parses JSON; `undefined` for an empty text.
 * @throws {ConfigSyntaxError} with the line and column, if the JavaScript engine reports the position
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
    // V8 appends a comma and a quote of the surrounding text: remove both.
    const words = message.slice(0, at?.index).replace(/, (?:\.{3})?"[\s\S]*$/, '');
    throw new ConfigSyntaxError(offset === null ? words : `${words}${lineAndColumn(text, offset)}`);
  }
}

/**
 * Finds the error offset from V8's quote, which has ten characters on each side of the error; `null` when ambiguous.
 */
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

/** Replacement messages for parser errors that quote the file. */
const ownWords: Readonly<Record<string, string>> = {
  TAG_RESOLVE_FAILED: 'A tag cannot be resolved',
  BAD_COLLECTION_TYPE: 'A tag does not match its value',
  BAD_DIRECTIVE: 'A directive is not valid',
  BAD_DQ_ESCAPE: 'An escape sequence is not valid',
};

/** Removes quoted file content from a parser message. */
function wordsOf(code: string, message: string): string {
  if (Object.hasOwn(ownWords, code)) return ownWords[code]!;
  return message
    .split('\n')[0]!
    .replace(/: .*$/, '')
    .replace(/"[^"]*"/g, '')
    .trim();
}

/** Offset of the second occurrence of a map key, or `null`. Linear, without recursion. */
function findRepeatedKey(root: unknown): number | null {
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
