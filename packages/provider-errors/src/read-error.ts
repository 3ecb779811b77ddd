import { ownWords } from './own-words.ts';

/** Facts extracted from an error or an error body. */
export interface ErrorFacts {
  /** HTTP status; `null` when neither the response nor the body has one. */
  readonly status: number | null;
  /** Codes, types and names, in lower case. */
  readonly codes: ReadonlySet<string>;
  /** The first code that is a plain word, as the provider writes it. */
  readonly code: string | null;
  /** Every message found in the error, as {@link ownWords} normalizes it. For matching only. */
  readonly messages: readonly string[];
  /** All messages, one per line. */
  readonly text: string;
  /** Figures from separate fields, such as `n_ctx`. */
  readonly figures: ReadonlyMap<string, number>;
  readonly cancelled: boolean;
  readonly notJson: boolean;
  readonly retryAfterMs: number | null;
}

const words = (list: string): readonly string[] => list.split(' ');
const sentenceFields = words(
  'message Message msg detail details error error_msg error_message errorMessage err_msg status_msg statusMessage message_zh raw title body responseBody reason description error_description param',
);
const codeFields = words('code type status reason error_type error_code errorCode status_code __type name Code');
const statusFields = words('status statusCode StatusCode http_status httpStatusCode HTTPStatusCode status_code');
const impliedStatusFields = words('code http_code error_code raw_status_code');
/** Fields in which errors nest errors. Fields of the request (`requestBodyValues`, `request`, `config`) are left out. */
const nestedFields = words(
  'error Error errors message detail details cause data body response Response header base_resp metadata lastError innererror inner_error upstream_error provider_error exception $metadata ResponseMetadata',
);
const figureFields = words('n_ctx n_prompt_tokens');
const maxDepth = 8;
const maxValues = 400;
const maxSentences = 24;

/** Reads an error thrown by an SDK or sent by a server, with its causes and nested bodies. Never throws. */
export function readError(root: unknown): ErrorFacts {
  return new ErrorReader().read(root);
}

class ErrorReader {
  readonly #seen = new Set<unknown>();
  readonly #codes = new Set<string>();
  readonly #sentences = new Set<string>();
  readonly #figures = new Map<string, number>();
  #status: number | null = null;
  #implied: number | null = null;
  #code: string | null = null;
  #cancelled = false;
  #notJson = false;
  #retryAfterMs: number | null = null;

  read(root: unknown): ErrorFacts {
    this.#walk(root, 0);
    const stated = this.#status !== null && this.#status >= 400 ? this.#status : null;
    return {
      status: stated ?? this.#implied ?? this.#status,
      codes: this.#codes,
      code: this.#code,
      messages: [...this.#sentences],
      text: [...this.#sentences].join('\n'),
      figures: this.#figures,
      cancelled: this.#cancelled,
      notJson: this.#notJson,
      retryAfterMs: this.#retryAfterMs,
    };
  }

  #walk(value: unknown, depth: number): void {
    if (typeof value === 'string') this.#say(value, depth);
    if (typeof value !== 'object' || value === null || depth > maxDepth) return;
    if (this.#seen.size > maxValues || this.#seen.has(value)) return;
    this.#seen.add(value);
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) this.#walk(item, depth + 1);
      return;
    }
    if (isPartOfRequest(value)) return;
    if (isCancellation(value)) this.#cancelled = true;
    if (value instanceof SyntaxError) this.#notJson = true;
    this.#readFigures(value);
    this.#readCodes(value);
    for (const name of sentenceFields) {
      const given = field(value, name);
      if (typeof given === 'string' && given !== '') this.#say(given, depth, pathOf(value));
    }
    for (const name of nestedFields) {
      const given = field(value, name);
      if (typeof given === 'object') this.#walk(given, depth + 1);
    }
  }

  #readFigures(value: object): void {
    for (const name of statusFields) this.#status ??= statusOf(field(value, name));
    for (const name of impliedStatusFields) this.#implied ??= errorStatusOf(field(value, name));
    for (const name of figureFields) {
      const given = field(value, name);
      if (typeof given === 'number' && Number.isFinite(given)) this.#figures.set(name, given);
    }
    this.#retryAfterMs ??= retryAfterOf(value);
  }

  #readCodes(value: object): void {
    for (const name of codeFields) {
      const given = field(value, name);
      if (typeof given !== 'string' && typeof given !== 'number') continue;
      const code = String(given).slice(0, 100);
      this.#codes.add(code.toLowerCase());
      if ((name === 'code' || name === 'type') && /^[A-Za-z][A-Za-z_.-]{1,48}$/.test(code)) this.#code ??= code;
    }
  }

  /** Adds a sentence. SDKs and gateways may replace it by JSON, or append JSON: parses and walks that JSON. */
  #say(text: string, depth: number, path = ''): void {
    if (this.#sentences.size >= maxSentences) return;
    const brace = text.search(/[{[]\s{0,20}["'{[]/);
    const lead = brace < 0 ? text : text.slice(0, brace);
    if (lead.trim() !== '') this.#add(path + lead);
    if (brace < 0) return;
    const inner = parseFrom(text, brace);
    if (inner) this.#walk(inner, depth + 1);
    else for (const said of readQuotedFields(text.slice(brace, brace + 4_000))) this.#add(said);
  }

  #add(text: string): void {
    const own = ownWords(text);
    if (own === '') return;
    // SDKs repeat a message with the status in front of it: both are one message.
    this.#sentences.add(own.replace(/^[45]\d\d (?=[^({])(?!status)/, ''));
    if (/is not valid json|unexpected (?:token|end of json)|json\.parse|could not parse|not json/.test(own))
      this.#notJson = true;
    const written = /\b(?:error|status)(?: code)?:? ([45]\d\d)\b|^([45]\d\d)(?= (?:[a-z{]|\()|$)/.exec(own);
    this.#implied ??= errorStatusOf(written?.[1] ?? written?.[2]);
  }
}

/** True for a message or a whole request that an error quotes. */
function isPartOfRequest(value: object): boolean {
  const has = (name: string): boolean => field(value, name) !== undefined;
  if (has('role') && (has('content') || has('parts'))) return true;
  if (has('tool_call_id') || has('call_id') || has('tool_use_id')) return true;
  return has('model') && (Array.isArray(field(value, 'messages')) || has('input'));
}

/** Path of the request field a FastAPI validation error is about (its `loc`), as a prefix for the message. */
function pathOf(value: object): string {
  const path = field(value, 'loc');
  if (!Array.isArray(path)) return '';
  const names = path.filter((step) => typeof step === 'string' || typeof step === 'number');
  return `${names.slice(0, 8).join('.')}: `.slice(0, 100);
}

/** True for a cancellation as fetch, our own errors, or the SDKs of OpenAI and Anthropic report it. */
function isCancellation(error: object): boolean {
  if (field(error, 'name') === 'AbortError' || field(error, 'code') === 'ABORTED') return true;
  const made = field(error, 'constructor');
  return typeof made === 'function' && made.name === 'APIUserAbortError';
}

function statusOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 100 && value < 600 ? value : null;
}

function errorStatusOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^[45]\d\d$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && number >= 400 && number < 600 ? number : null;
}

function retryAfterOf(value: object): number | null {
  const own = field(value, 'retryAfterMs');
  if (typeof own === 'number' && own > 0) return own;
  const headers = field(value, 'headers');
  if (typeof headers !== 'object' || headers === null) return null;
  const given = headers instanceof Headers ? headers.get('retry-after') : field(headers, 'retry-after');
  const seconds = given === null || given === undefined || given === '' ? Number.NaN : Number(given);
  return seconds > 0 ? seconds * 1_000 : null;
}

/** Reads a field; `undefined` when its getter throws. */
function field(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

function parseFrom(text: string, at: number): object | null {
  const close = text[at] === '{' ? '}' : ']';
  for (const json of [text.slice(at), text.slice(at, text.lastIndexOf(close) + 1)])
    try {
      const value: unknown = JSON.parse(json);
      if (typeof value === 'object' && value !== null) return value;
    } catch {
      // Python notation, or truncated JSON.
    }
  return null;
}

/** The messages of an error written as a Python dict or as truncated JSON. */
function readQuotedFields(text: string): string[] {
  const fields =
    /['"](?:message|msg|detail|error|raw|code|type)['"]\s?:\s?(?:"((?:[^"\\]|\\.){1,1500})"|'((?:[^'\\]|\\.){1,1500})')/g;
  return [...text.matchAll(fields)].slice(0, 8).map((match) => (match[1] ?? match[2])!.replace(/\\(['"])/g, '$1'));
}
