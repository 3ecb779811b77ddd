import { jsonText } from '@palimpsest/core/authoring';

/** A tool result that is JSON, reduced to the fields that most harnesses use. */
export interface Payload {
  readonly output: string | null;
  readonly exitCode: number | null;
  readonly error: string | null;
  /** False if the result states that the call did not succeed. */
  readonly success: boolean;
  /** The parsed value; `undefined` if the JSON is cut off. */
  readonly data: unknown;
}

const outputFields = ['output', 'stdout', 'content', 'result', 'text'] as const;
const exitFields = ['exit_code', 'exitCode', 'returncode', 'return_code'] as const;
/** Matches the start of a JSON object that may be cut off inside its first field. */
const cutObject = /^\s{0,8}\{\s{0,8}"(?:output|stdout|content|result|text)"\s{0,8}:\s{0,8}"/;
const cutExit = /(?<!\\)"(?:exit_?code|return_?code)"\s{0,8}:\s{0,8}(-?\d{1,6})\b/i;

/** Reads a result that is a JSON object or array, possibly cut off; `null` for anything else. */
export function readPayload(text: string): Payload | null {
  const first = openingBracket(text);
  if (!first) return null;
  const last = text.slice(-100).trimEnd().at(-1);
  if (last === (first === '{' ? '}' : ']')) {
    try {
      return fromData(JSON.parse(text));
    } catch {
      // Two objects, text after the JSON, or a cut after a bracket: tried as cut-off JSON below.
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

/** Returns the opening bracket of a JSON object or array; `''` for other texts. */
function openingBracket(text: string): string {
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

/** Returns a string, or the texts of MCP content parts. */
function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || value.length === 0) return null;
  const texts = value.map((part: { text?: unknown } | null) => part?.text);
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : null;
}

/** Decodes a JSON string from `start` to its closing quote, or to the end of the text if the string is cut off. */
function decodeCut(text: string, start: number): string {
  let end = start;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  // Removes an escape sequence that was cut in two.
  const body = text.slice(start, end).replace(/\\(?:u[0-9a-f]{0,3})?$/i, '');
  try {
    return JSON.parse(`"${body.replace(/[\u0000-\u001f]/g, escapeControl)}"`) as string;
  } catch {
    return body;
  }
}

const escapeControl = (character: string): string => JSON.stringify(character).slice(1, -1);
