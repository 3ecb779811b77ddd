import type { Span } from '../finding.ts';
import { nameWords } from '../values/secret-name.ts';
import { maskCutArguments, maskCutSecrets } from './cut-secrets.ts';
import { type Changes, isHolder, type Policy, type Position, redactDeep } from './redact-deep.ts';
import { maskSplitSecrets } from './split-secrets.ts';

/** Functions that redact and inspect one text. */
export interface TextRedactor {
  redact(text: string): string;
  inspect(text: string): readonly Span[];
  /** True when field names count as evidence of a secret. */
  readonly byName: boolean;
}

/**
 * Protocol fields: they identify or sign a message, and changing them breaks the request. Inside data they are treated
 * like any other field.
 */
const protocol =
  /^(?:role|type|id|(?:tool_?call|tool_?use|call|item|message|response|previous_?response|approval|approval_?request)_?id|signature|encrypted_content|(?:media|mime)_?type)$/i;

/** Shorter object keys are not checked: no token with a known shape is this short. */
const minKeyLength = 12;

/** Fields that contain tool inputs or results. Everything below them is data. */
const data = /^(?:input|args|arguments|parameters|params|output|result|state)$/;

/** Fields that contain the arguments of a call as JSON text. */
const argumentsPattern = /^(?:arguments|input|args)$/;

/** Matches a value that consists only of an embedded file. Text that merely begins like one is redacted as text. */
const embedded = /^data:[\w/+.-]{1,80}(?:;[\w=.-]{1,80}){0,4};base64,[A-Za-z0-9+/]{64,}={0,2}$/;

/** Longest value, in characters, that is checked against the name of its field. */
const maxNamedLength = 4096;

/** Redacts a value that is a secret only because of its field name, by redacting the JSON of the field. */
function redactField(field: string, value: string | number, redact: (text: string) => string): string | number {
  const written = JSON.stringify({ [field]: value });
  const redacted = redact(written);
  if (redacted === written) return value;
  return Object.values(JSON.parse(redacted) as Record<string, string>)[0]!;
}

const knownFields = new Map<string, boolean>();
const maxFields = 1000;

/** True when a field's name may indicate a secret: it contains one of the words, or non-ASCII characters. */
function mayNameSecret(field: string): boolean {
  let answer = knownFields.get(field);
  if (answer === undefined) {
    const lower = field.slice(0, 256).toLowerCase();
    answer = /[^\0-\x7f]/.test(field) || [...nameWords.keys()].some((word) => lower.includes(word));
    if (knownFields.size >= maxFields) knownFields.clear();
    if (field.length < 64) knownFields.set(field, answer);
  }
  return answer;
}

/** The name in an object such as `{ name: 'DB_PASSWORD', value: 'hunter2' }`, or null. */
function nameOfValue(holder: object): string | null {
  const { name, key, header } = holder as Record<string, unknown>;
  const found = [name, key, header].find((one) => typeof one === 'string') as string | undefined;
  return found ?? null;
}

const nothingCut: ReadonlyMap<string, string> = new Map();

function policyOf({ redact, inspect, byName }: TextRedactor): Policy {
  /** New texts of parts that contain a piece of a split secret, by part and field. */
  const partTexts = new Map<object, Map<string, string>>();

  const redactMember = (value: string | number, { field, isData }: Position): string | number => {
    if (typeof value === 'string' && ((!isData && protocol.test(field)) || embedded.test(value))) return value;
    const whole = typeof value === 'string' && argumentsPattern.test(field) ? maskCutArguments(value, inspect) : value;
    const redacted = typeof whole === 'string' ? redact(whole) : whole;
    if (redacted !== value || !byName || !mayNameSecret(field)) return redacted;
    return String(value).length <= maxNamedLength ? redactField(field, value, redact) : value;
  };

  const redactSplit = (list: readonly unknown[], values: Map<string, string | number>): void => {
    for (const { index, field, text } of maskSplitSecrets(list, inspect)) {
      const part = list[index] as object;
      if (field === null) values.set(String(index), redact(text));
      else partTexts.set(part, new Map([...(partTexts.get(part) ?? []), [field, text]]));
    }
  };

  return {
    below: ({ isData }, key) => ({ field: key, isData: isData || data.test(key) }),
    changesOf(holder, position): Changes {
      const values = new Map<string, string | number>();
      const keys = new Map<string, string>();
      const isList = Array.isArray(holder);
      const cut = position.isData || isList ? maskCutSecrets(holder, inspect) : nothingCut;
      for (const [key, item] of Object.entries(holder)) {
        if (!isList && key.length >= minKeyLength) {
          const redacted = redact(key);
          if (redacted !== key) keys.set(key, redacted);
        }
        if (typeof item !== 'string' && typeof item !== 'number') continue;
        const given = partTexts.get(holder)?.get(key) ?? cut.get(key) ?? item;
        const named = key === 'value' || key === 'Value' ? nameOfValue(holder) : null;
        const field = named ?? (isList ? position.field : key);
        const redacted = redactMember(given, { field, isData: position.isData });
        if (redacted !== item) values.set(key, redacted);
      }
      if (isList) redactSplit(holder, values);
      return { values, keys };
    },
  };
}

/**
 * Redacts strings, keys, and numbers in fields whose name suggests a secret, anywhere in a JSON-like value.
 * @param isData true when the value has no protocol fields to preserve
 */
export function redactInside<Value>(value: Value, redactor: TextRedactor, isData: boolean): Value {
  if (typeof value === 'string') return redactor.redact(value) as Value;
  if (!isHolder(value)) return value;
  return redactDeep(value, { field: '', isData }, policyOf(redactor)) as Value;
}
