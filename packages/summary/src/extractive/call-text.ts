import { startOf } from '../source/cut.ts';

/** A tool call as lines of text. */
export interface CallText {
  /** What was called with what, on one line: short arguments verbatim, long ones by their first line. */
  readonly head: string;
  /** The value that names what the call is about, such as a path or a command; `''` when there is none. */
  readonly target: string;
  /** The lines of its long arguments: written files, scripts, patches. */
  readonly body: readonly string[];
}

/** Arguments that name what a call is about, the most telling first. */
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
const shortValue = 400;

/** Reads the input of a tool call: JSON by its values, anything else as plain text. */
export function callText(name: string, input: string): CallText {
  const parsed = parseObject(input);
  if (!parsed) {
    const lines = input.split('\n').filter((line) => line.trim() !== '');
    const first = startOf(lines[0]?.trim() ?? '', shortValue);
    return { head: `${name} ${first}`.trim(), target: first, body: lines.slice(first === lines[0]?.trim() ? 1 : 0) };
  }
  const key = targetKeys.find((candidate) => typeof parsed[candidate] === 'string' && parsed[candidate] !== '');
  const body: string[] = [];
  const shown: string[] = [];
  const take = (value: string): string => {
    const lines = value.split('\n');
    if (lines.length === 1 && value.length <= shortValue) return value;
    const first = startOf(lines[0]!, shortValue);
    body.push(...(first === lines[0] ? lines.slice(1) : lines).filter((line) => line.trim() !== ''));
    return first;
  };
  const target = key === undefined ? '' : take(parsed[key] as string);
  for (const [field, value] of Object.entries(parsed)) {
    if (field === key || value === null || value === undefined || value === '') continue;
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    if (typeof value === 'string' && (text.includes('\n') || text.length > shortValue))
      body.push(...text.split('\n').filter((line) => line.trim() !== ''));
    else if (text.length > shortValue) body.push(...JSON.stringify(value, null, 1).split('\n'));
    else shown.push(`${field}: ${text}`);
  }
  const rest = shown.length > 0 ? ` (${shown.join(', ')})` : '';
  return { head: `${name} ${target}${rest}`.trim(), target, body };
}

function parseObject(input: string): Record<string, unknown> | null {
  if (!/^\s*\{/.test(input)) return null;
  try {
    const parsed: unknown = JSON.parse(input);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
