import { type Changes, isHolder, type Policy, type Position, redactDeep } from './deep.ts';
import type { Finding } from './finding.ts';
import { NAME_WORDS } from './name.ts';
import { changedParts } from './parts.ts';

/** What messages are redacted with. */
export interface TextRedactor {
  redact(text: string): string;
  inspect(text: string): readonly Finding[];
  /** True when a field's name is evidence. */
  readonly byName: boolean;
}

/** Fields that say what a message is, or are signed: changing them breaks the request. Inside data they are like any other. */
const PROTOCOL =
  /^(?:role|type|id|(?:tool_?call|tool_?use|call|item|message|response|previous_?response|approval|approval_?request)_?id|signature|encrypted_content|(?:media|mime)_?type)$/i;

/** No secret with a shape of its own is shorter. */
const SHORTEST_KEY = 12;

/** Below these everything is data: what a tool was given, and what it gave back. */
const DATA = /^(?:input|args|arguments|parameters|params|output|result|state)$/;

/** Nothing but an embedded file. What merely begins like one is text. */
const EMBEDDED = /^data:[\w/+.-]{1,80}(?:;[\w=.-]{1,80}){0,4};base64,[A-Za-z0-9+/]{64,}={0,2}$/;

/** How long a value is that is asked about the name of its field. */
const LONGEST_ASKED = 4096;

/** A value that is a secret only by its field's name (`{ password: 'hunter2' }`): read as the JSON it would be written as. */
function redactField(field: string, value: string | number, redact: (text: string) => string): string | number {
  const written = JSON.stringify({ [field]: value });
  const redacted = redact(written);
  if (redacted === written) return value;
  return Object.values(JSON.parse(redacted) as Record<string, string>)[0]!;
}

const tellingFields = new Map<string, boolean>();
const MOST_FIELDS = 1000;

/** True when the name of a field may say secret: one of the words stands in it, or it is of another language. */
function mayTell(field: string): boolean {
  let answer = tellingFields.get(field);
  if (answer === undefined) {
    const lower = field.slice(0, 256).toLowerCase();
    answer = /[^\0-\x7f]/.test(field) || [...NAME_WORDS.keys()].some((word) => lower.includes(word));
    if (tellingFields.size >= MOST_FIELDS) tellingFields.clear();
    if (field.length < 64) tellingFields.set(field, answer);
  }
  return answer;
}

/** `{ name: 'DB_PASSWORD', value: 'hunter2' }`: one member names the other. */
function nameOfValue(holder: object): string | null {
  const { name, key, header } = holder as Record<string, unknown>;
  const found = [name, key, header].find((one) => typeof one === 'string') as string | undefined;
  return found ?? null;
}

function policyOf({ redact, inspect, byName }: TextRedactor): Policy {
  /** Texts of parts that have to change because of their neighbours, by the part. */
  const together = new Map<object, Map<string, string>>();

  const redactMember = (value: string | number, { field, isData }: Position): string | number => {
    if (typeof value === 'string' && ((!isData && PROTOCOL.test(field)) || EMBEDDED.test(value))) return value;
    const redacted = typeof value === 'string' ? redact(value) : value;
    if (redacted !== value || !byName || !mayTell(field)) return redacted;
    return String(value).length <= LONGEST_ASKED ? redactField(field, value, redact) : value;
  };

  const redactTogether = (list: readonly unknown[], values: Map<string, string | number>): void => {
    for (const { index, field, text } of changedParts(list, inspect)) {
      const part = list[index] as object;
      if (field === null) values.set(String(index), redact(text));
      else together.set(part, new Map([...(together.get(part) ?? []), [field, text]]));
    }
  };

  return {
    below: ({ isData }, key) => ({ field: key, isData: isData || DATA.test(key) }),
    changesOf(holder, position): Changes {
      const values = new Map<string, string | number>();
      const keys = new Map<string, string>();
      const isList = Array.isArray(holder);
      for (const [key, item] of Object.entries(holder)) {
        if (!isList && key.length >= SHORTEST_KEY) {
          const redacted = redact(key);
          if (redacted !== key) keys.set(key, redacted);
        }
        if (typeof item !== 'string' && typeof item !== 'number') continue;
        const given = together.get(holder)?.get(key) ?? item;
        const named = key === 'value' || key === 'Value' ? nameOfValue(holder) : null;
        const field = named ?? (isList ? position.field : key);
        const redacted = redactMember(given, { field, isData: position.isData });
        if (redacted !== item) values.set(key, redacted);
      }
      if (isList) redactTogether(holder, values);
      return { values, keys };
    },
  };
}

/** Redacts every string, telling number and key inside a JSON-like value; `isData` when nothing in it is of a protocol. */
export function redactInside<Value>(value: Value, redactor: TextRedactor, isData: boolean): Value {
  if (typeof value === 'string') return redactor.redact(value) as Value;
  if (!isHolder(value)) return value;
  return redactDeep(value, { field: '', isData }, policyOf(redactor)) as Value;
}
