import { jsonText } from '@palimpsest/core/authoring';

/** A tool result that is JSON, in the fields that harnesses agree on. */
export interface Payload {
  readonly output: string | null;
  readonly exitCode: number | null;
  readonly error: string | null;
  /** False when the result says it did not succeed. */
  readonly success: boolean;
  /** The parsed value; `undefined` when the JSON ends before its end. */
  readonly data: unknown;
}

const outputFields = ['output', 'stdout', 'content', 'result', 'text'] as const;
const exitFields = ['exit_code', 'exitCode', 'returncode', 'return_code'] as const;
/** A JSON object cut off inside the text of one of its first fields. */
const cutObject = /^\s{0,8}\{\s{0,8}"(?:output|stdout|content|result|text)"\s{0,8}:\s{0,8}"/;
const cutExit = /(?<!\\)"(?:exit_?code|return_?code)"\s{0,8}:\s{0,8}(-?\d{1,6})\b/i;

/** Reads a result that is a JSON object or array, also one that was cut off; `null` when it is neither. */
export function readPayload(text: string): Payload | null {
  const first = opening(text);
  if (!first) return null;
  const last = text.slice(-100).trimEnd().at(-1);
  if (last === (first === '{' ? '}' : ']')) {
    try {
      return fromData(JSON.parse(text));
    } catch {
      // Two objects, a trailer, or a cut that happens to end well: read as a cut one, or as text.
    }
  }
  const cut = cutObject.exec(text);
  if (!cut) return null;
  const exit = cutExit.exec(text.slice(-200));
  return {
    output: decodeCut(text, cut[0].length),
    exitCode: exit ? Number(exit[1]) : null,
    error: null,
    success: true,
    data: undefined,
  };
}

/** The bracket a JSON text opens with; `''` for a text that is none. */
function opening(text: string): string {
  const code = text.charCodeAt(0);
  if (code > 32 && code !== 0x5b && code !== 0x7b) return '';
  return /^\s{0,8}([[{])\s{0,80}["{[\]}\d-]/.exec(text.slice(0, 100))?.[1] ?? '';
}

function fromData(data: unknown): Payload {
  const fields = (Array.isArray(data) || data === null ? {} : data) as Readonly<Record<string, unknown>>;
  const nested = (
    typeof fields.metadata === 'object' && fields.metadata !== null ? fields.metadata : {}
  ) as typeof fields;
  const exit = exitFields.map((field) => fields[field] ?? nested[field]).find((value) => Number.isInteger(value));
  const outputs = [
    outputFields.map((field) => asText(fields[field])).find((value) => value !== null),
    asText(fields.stderr),
  ];
  const error = fields.error;
  return {
    output: outputs[0] === undefined && !outputs[1] ? null : outputs.filter(Boolean).join('\n'),
    exitCode: exit === undefined ? null : (exit as number),
    error:
      typeof error === 'string' && error !== '' ? error : error && typeof error === 'object' ? jsonText(error) : null,
    success: fields.success !== false && fields.is_error !== true && fields.isError !== true,
    data,
  };
}

/** A text, or the texts of MCP content parts. */
function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || value.length === 0) return null;
  const texts = value.map((part: { text?: unknown } | null) => part?.text);
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : null;
}

/** Decodes a JSON string from `start` to its closing quote or, when that was cut off, to the end. */
function decodeCut(text: string, start: number): string {
  let end = start;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  // What follows the closing quote is the rest of the object; an escape cut in two goes.
  const body = text.slice(start, end).replace(/\\(?:u[0-9a-f]{0,3})?$/i, '');
  try {
    return JSON.parse(`"${body.replace(/[\u0000-\u001f]/g, escapeControl)}"`) as string;
  } catch {
    return body;
  }
}

const escapeControl = (character: string): string => JSON.stringify(character).slice(1, -1);
