import { newTextArguments, oldTextArguments, readQuestions } from '@palimpsest/agents';
import { jsonText, parseRecord } from '@palimpsest/core/authoring';
import { startOf } from '../text/cut.ts';
import { eachTextLine } from './each-text-line.ts';

/** A tool call as lines of text. */
export interface CallText {
  /** The call on one line: its name, its target or else what it states, and other short arguments verbatim. */
  readonly head: string;
  /** The argument that names the subject of the call, such as a path or a command; `''` if there is none. */
  readonly target: string;
  /** The lines of long arguments: written files, scripts, patches. */
  readonly body: readonly string[];
  /** The lines of a long text that the call replaces. The file no longer contains them. */
  readonly replaced: readonly string[];
}

/** Names of arguments that name the subject of a call, in order of preference. */
const targetKeys: readonly string[] = [
  'command',
  'cmd',
  'file_path',
  'path',
  'filename',
  'file',
  'notebook_path',
  'url',
  'query',
  'pattern',
  'script',
  'code',
  'skill',
  'name',
  'id',
];
/** Those of them that are a command. */
const commandKeys: ReadonlySet<string> = new Set(['command', 'cmd', 'script', 'code']);
/** Maximum length of a target that is shown whole in the head of its call, in characters. */
const shortTarget = 400;
/** Maximum length of a statement or a question in the head of its call, in characters. A longer one is also in the lines. */
const shortStatement = 160;
/** Matches the first and the last line of a patch, which do not describe it. */
const patchEdge = /^\*\*\* (?:Begin|End) Patch\s*$/;
/** Matches a text of at least six words. */
const statementWords: RegExp = /^\P{L}*(?:\p{L}+\P{L}+){5}\p{L}/u;
/** Maximum length of other values in the head, in characters. Longer values become separate lines. */
const shortValue = 100;
/** Matches a first line that ends where a here-document begins as an argument, such as the message of a commit. */
const textFollows: RegExp = /^([^\n]{0,400}\$\(cat <<-?\s?(['"]?)\w{1,20}\2)\n/;
/** Matches a line of a shell script that says little about it: a heading that it prints, a change of directory, a setting. */
const saysLittle: RegExp =
  /^(?:(?:#!.*|(?:echo|printf) (?:"[^"$]*"|'[^']*')|cd (?:"[^"]*"|[^\s;&|"]+)|set -\w+)(?: ?(?:&&|;))?(?: ?\\)?)?$/;
/** Matches a line that ends where a quotation, or a here-document for an interpreter, begins: `python3 -c "`, `node - <<'EOF'`. */
const textBegins: RegExp =
  /[\s=]["']$|(?:^|[\s;&|(/])(?:python[\d.]{0,5}|node|deno|bun|ruby|perl|php|bash|sh)\s(?:[^\n]{0,100}\s)?<<-?\s?(["']?)\w{1,20}\1$/;
/** Matches a line of code that is empty, begins a `try`, or only loads modules. */
const loadsModule: RegExp =
  /^\s*(?:$|(?:try|sys\.path|import|from|use|require)\b|(?:const|let|var)\s[^=]{1,80}=\s*(?:await )?(?:require|import)\()/;
/** Arguments that do not say what a call is about: the text of a file, and what the agent thinks. */
const otherTexts: ReadonlySet<string> = new Set([
  ...newTextArguments,
  ...oldTextArguments,
  'thought',
  'thoughts',
  'thinking',
  'reasoning',
  'explanation',
]);
/** Maximum nesting of values that are listed with indents. */
const maxDepth = 64;

/**
 * Formats a tool call as text. JSON input is listed value by value; other input stays as it is.
 * @param settings what earlier commands were run with, such as their folder; the same value is not shown again
 */
export function callText(name: string, input: string, settings: Map<string, string> = new Map()): CallText {
  const parsed = parseRecord(input);
  if (!parsed) {
    const lines = input.split('\n').filter((line) => line.trim() !== '' && !patchEdge.test(line));
    const first = startOf(lines[0]?.trim() ?? '', shortTarget);
    const body = lines.slice(first === lines[0]?.trim() ? 1 : 0);
    return { head: `${name} ${first}`.trim(), target: first, body, replaced: [] };
  }
  const key = targetKeys.find((candidate) => typeof parsed[candidate] === 'string' && parsed[candidate] !== '');
  const body: string[] = [];
  const replaced: string[] = [];
  const shown: string[] = [];
  const oldText = findReplaced(parsed);
  const addLines = (lines: readonly string[], into = body): void => {
    for (const line of lines) if (line.trim() !== '' && !patchEdge.test(line)) into.push(line);
  };
  const take = (value: string, maxLength: number): string => {
    const lines = value.replace(textFollows, '$1 ').split('\n');
    if (lines.length === 1 && value.length <= maxLength) return value;
    const telling = Math.max(
      0,
      lines.findIndex((line) => !saysLittle.test(line.trim()) && !patchEdge.test(line)),
    );
    const line = lines[telling]!;
    const next = textBegins.test(line) ? lines.findIndex((text, at) => at > telling && !loadsModule.test(text)) : -1;
    const whole = next < 0 ? line : `${line} ${lines[next]!.trim()}`;
    const first = startOf(whole, maxLength);
    addLines(first === whole ? lines.filter((_, at) => at !== telling && at !== next) : lines);
    return first;
  };
  const told = key ?? statementField(parsed);
  const isCommand = key !== undefined && commandKeys.has(key);
  const first =
    told === undefined ? '' : take(parsed[told] as string, key === undefined ? shortStatement : shortTarget);
  for (const [field, value] of Object.entries(parsed)) {
    // Agents describe a command for the person who allows it; the command itself says more.
    const isRepeated = field === told || (field === 'description' && key === 'command');
    if (isRepeated || isUninformative(field, value)) continue;
    const text = typeof value === 'string' ? value : jsonText(value)!;
    if (typeof value === 'string' && isLong(text)) addLines(text.split('\n'), field === oldText ? replaced : body);
    else if (text.length > shortValue) addLines(indent(value, text));
    else if (isCommand && (typeof value !== 'string' || settings.get(field) === text)) continue;
    else {
      shown.push(`${field}: ${text}`);
      if (isCommand) settings.set(field, text);
    }
  }
  const [asked] = Array.isArray(parsed.questions) ? readQuestions(parsed) : [];
  if (asked) shown.push(`question: ${startOf(asked.question, shortStatement)}`);
  const rest = shown.length > 0 ? ` (${shown.join(', ')})` : '';
  const head = `${name}${first === '' ? '' : ` ${first}`}${rest}`.trim();
  return { head, target: key === undefined ? '' : first, body, replaced };
}

/** True for an argument that does not describe the call: an empty one, one that is off, or a time limit. */
function isUninformative(field: string, value: unknown): boolean {
  return value === null || value === undefined || value === '' || value === false || field === 'timeout';
}

/** Returns the name of the argument that says in words what a call without a target is about, such as a delegated task. */
function statementField(input: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof input.description === 'string') return undefined;
  return Object.keys(input).find((field) => {
    const value = input[field];
    return typeof value === 'string' && !otherTexts.has(field) && statementWords.test(value);
  });
}

/** True for a text that gets lines of its own, because the head of a call has no room for it. */
function isLong(text: string): boolean {
  return text.includes('\n') || text.length > shortValue;
}

/** Returns the name of the argument with the text that an edit replaces, if the call has the new text, too. */
function findReplaced(input: Readonly<Record<string, unknown>>): string | undefined {
  const isText = (field: string): boolean => typeof input[field] === 'string';
  return newTextArguments.some(isText) ? oldTextArguments.find(isText) : undefined;
}

/**
 * Formats a value on several lines. A deeply nested value is not indented, because the indents would be longer than the
 * text.
 */
function indent(value: unknown, text: string): string[] {
  if (depthOf(text) <= maxDepth) return JSON.stringify(value, null, 1).split('\n');
  const lines: string[] = [];
  eachTextLine(text, (line) => lines.push(line));
  return lines;
}

/** Returns the nesting depth of a JSON text. */
function depthOf(json: string): number {
  let depth = 0;
  let max = 0;
  let quoted = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '[' || character === '{') max = Math.max(max, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return max;
}
