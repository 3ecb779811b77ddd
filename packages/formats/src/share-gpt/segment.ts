import type { Part } from '@palimpsest/core';
import { isRecord, jsonText } from '@palimpsest/core/authoring';

/** A range of the text of a turn. Rendering all segments of a turn gives its text again. */
export interface Segment extends Part {
  readonly type: 'text' | 'think' | 'tool_call' | 'listed_call' | 'tool_response' | 'blank';
  /** The text without tags and surrounding white space. */
  readonly text: string;
  /** Tag and white space before the text. */
  readonly before: string;
  /** White space and tag after the text. */
  readonly after: string;
  /** True for a new segment, which is separated from its neighbours by a line break. */
  readonly fresh?: boolean | undefined;
}

type Tag = 'think' | 'tool_call' | 'tool_response';

/** Splits a text at the tags of the Hermes convention, in one pass. A tag that is not closed counts as text. */
export function segmentsOf(value: string, tags: readonly Tag[]): Segment[] {
  const segments: Segment[] = [];
  const opening = new RegExp(`<(${tags.join('|')})>`, 'g');
  let from = 0;
  const say = (until: number): void => {
    if (until > from) segments.push(textSegment(value.slice(from, until)));
  };
  for (let found = opening.exec(value); found; found = opening.exec(value)) {
    const type = found[1] as Tag;
    const closing = `</${type}>`;
    const end = value.indexOf(closing, opening.lastIndex);
    if (end < 0) break;
    say(found.index);
    segments.push(around(type, found[0], value.slice(opening.lastIndex, end), closing));
    from = end + closing.length;
    opening.lastIndex = from;
  }
  say(value.length);
  return segments;
}

function around(type: Segment['type'], before: string, inner: string, after: string): Segment {
  const text = inner.trim();
  const lead = inner.slice(0, inner.length - inner.trimStart().length);
  return { type, text, before: before + lead, after: inner.slice(lead.length + text.length) + after };
}

export function textSegment(raw: string): Segment {
  const segment = around('text', '', raw, '');
  return segment.text === '' ? { ...segment, type: 'blank' } : segment;
}

/** Creates a segment with the tags of its type. Escapes closing tags in the text, because they would end the segment. */
export function freshSegment(type: Segment['type'], text: string): Segment {
  const isTagged = type !== 'text' && type !== 'blank' && type !== 'listed_call';
  if (!isTagged) return { type, text, before: '', after: '', fresh: true };
  // In the JSON of a call, `\/` is another way to write `/`.
  const safe = text.replaceAll(`</${type}>`, `<\\/${type}>`);
  return { type, text: safe, before: `<${type}>\n`, after: `\n</${type}>`, fresh: true };
}

/** Reads the calls of a turn that consists of the JSON of one call, or of a list of calls. */
export function readCallList(value: string): Segment[] {
  const whole: Segment = { ...textSegment(value), type: 'listed_call' };
  const list = parse(value);
  if (!Array.isArray(list) || list.length === 0 || !list.every(isCall)) return [whole];
  return (list as unknown[]).map((call) => ({
    type: 'listed_call',
    text: jsonText(call as object),
    before: '',
    after: '',
  }));
}

/** Parses the JSON of a call; `null` if it is not one. */
export function readCall(text: string): { readonly name: string; readonly arguments: string } | null {
  const call = parse(text);
  if (!isCall(call)) return null;
  const given = call.arguments ?? call.parameters ?? {};
  return { name: call.name, arguments: typeof given === 'string' ? given : jsonText(given) };
}

/** Replaces the input in the JSON of a call. */
export function writeCall(text: string, written: string): string {
  const call = parse(text);
  if (!isCall(call)) return written;
  const field = 'arguments' in call || !('parameters' in call) ? 'arguments' : 'parameters';
  const input = typeof call[field] === 'string' ? written : (parse(written) ?? written);
  return jsonText({ ...call, [field]: input });
}

function isCall(call: unknown): call is { readonly name: string; readonly [field: string]: unknown } {
  return isRecord(call) && typeof call.name === 'string';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Renders segments as the text of a turn. */
export function render(segments: readonly Segment[]): string {
  const listed = segments.filter(({ type }) => type === 'listed_call');
  if (listed.length > 1 && listed.length === segments.length) return `[${listed.map(({ text }) => text).join(', ')}]`;
  let value = '';
  let previous: Segment | undefined;
  for (const segment of segments) {
    const { type, text, before, after, fresh } = segment;
    const next = before + text + after;
    // Adjacent texts come from different turns.
    const areTexts = type === 'text' && previous?.type === 'text';
    const isSeam = previous && (fresh || previous.fresh || areTexts) && !endsLine(previous) && !next.startsWith('\n');
    value += (isSeam ? (areTexts ? '\n\n' : '\n') : '') + next;
    previous = segment;
  }
  return value;
}

function endsLine({ text, before, after }: Segment): boolean {
  return (after || text || before).endsWith('\n');
}
