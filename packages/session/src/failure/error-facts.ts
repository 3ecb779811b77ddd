/** What can be read off an error or an error body. Its text is for matching only: it may quote the conversation. */
export interface ErrorFacts {
  readonly status: number | null;
  /** Codes and types, in lower case. */
  readonly codes: ReadonlySet<string>;
  /** Every sentence found, one a line, cut at 4,000 characters each. */
  readonly text: string;
  /** Figures that stand in fields of their own, such as `n_ctx`. */
  readonly figures: ReadonlyMap<string, number>;
  readonly cancelled: boolean;
}

const sentenceFields: ReadonlySet<string> = new Set(
  'message msg detail details error error_msg error_message errorMessage message_zh raw title body responseBody reason description param'.split(
    ' ',
  ),
);
const codeFields: ReadonlySet<string> = new Set(
  'code type status reason error_type error_code errorCode __type name Code'.split(' '),
);
/** Where errors keep errors. What a client was asked to send (`requestBodyValues`, `request`, `config`) is not among them. */
const nestedFields = 'error errors detail details cause data body response metadata lastError'.split(' ');
const mostCharacters = 4_000;
const deepest = 8;
const mostValues = 400;

/** Reads an error as SDKs throw it, through causes and nested bodies. */
export function errorFacts(error: unknown): ErrorFacts {
  return read(error, null);
}

/** Reads an error body as a server sends it: JSON, JSON inside of JSON, or text. */
export function bodyFacts(status: number, body: string): ErrorFacts {
  return read(parsed(body) ?? { message: body }, status);
}

function read(root: unknown, status: number | null): ErrorFacts {
  const seen = new Set<unknown>();
  const codes = new Set<string>();
  const sentences: string[] = [];
  const figures = new Map<string, number>();
  let found = status;
  let cancelled = false;

  const sentence = (text: string, depth: number): void => {
    const inner = parsed(text);
    if (inner === null) sentences.push(text.slice(0, mostCharacters));
    else walk(inner, depth + 1);
  };
  const walk = (value: unknown, depth: number): void => {
    if (typeof value === 'string') sentence(value, depth);
    if (typeof value !== 'object' || value === null || depth > deepest || seen.size > mostValues || seen.has(value))
      return;
    seen.add(value);
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) walk(item, depth + 1);
      return;
    }
    if (isCancellation(value)) cancelled = true;
    for (const key of ['status', 'statusCode', 'StatusCode', 'http_status']) {
      const given = field(value, key);
      if (found === null && typeof given === 'number' && given >= 100 && given < 600) found = given;
    }
    for (const key of codeFields) {
      const given = field(value, key);
      if (typeof given === 'string' || typeof given === 'number') codes.add(String(given).slice(0, 100).toLowerCase());
    }
    for (const key of sentenceFields) {
      const given = field(value, key);
      if (typeof given === 'string' && given !== '') sentence(given, depth);
    }
    for (const key of ['n_ctx', 'n_prompt_tokens']) {
      const given = field(value, key);
      if (typeof given === 'number' && Number.isFinite(given)) figures.set(key, given);
    }
    for (const key of nestedFields) {
      const given = field(value, key);
      if (typeof given === 'object') walk(given, depth + 1);
    }
  };
  walk(root, 0);
  return {
    status: found,
    codes,
    text: [...new Set(sentences)].join('\n').slice(0, 8 * mostCharacters),
    figures,
    cancelled,
  };
}

/** As fetch, our own errors, and the SDKs of OpenAI and Anthropic say it. */
function isCancellation(error: object): boolean {
  if (field(error, 'name') === 'AbortError' || field(error, 'code') === 'ABORTED') return true;
  const made = field(error, 'constructor');
  return typeof made === 'function' && made.name === 'APIUserAbortError';
}

/** A getter of a foreign error may throw. */
function field(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** The JSON object or array a text is; `null` when it is none. */
function parsed(text: string): object | null {
  const start = text.trimStart()[0];
  if (start !== '{' && start !== '[') return null;
  try {
    return JSON.parse(text) as object;
  } catch {
    return null;
  }
}
