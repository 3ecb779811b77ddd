import type { Finding } from './finding.ts';
import { createRedactor, type RedactOptions, type Redactor } from './redact.ts';

const standard: Redactor = /* @__PURE__ */ createRedactor();

/**
 * Masks every secret in a text by the built-in rules; returns the same string when there is none. Never throws: null and
 * undefined come back as they are, anything else that is no string is written as one first.
 */
export function redact(text: string, options?: RedactOptions): string {
  return standard.redact(text, options);
}

/** Where the built-in rules find secrets: kind, start and end, never the secret itself. */
export function inspect(text: string, options?: RedactOptions): Finding[] {
  return standard.inspect(text, options);
}

/**
 * Redacts every string in messages of any provider: content, parts, reasoning, tool-call arguments (which stay
 * valid JSON), the keys of objects, and secrets split over the parts of one message. What says what a message is stays (`role`,
 * `type`, ids that tie calls to results, signatures), and so do embedded files. Untouched messages are the same objects; when
 * all are, so is the array. Inputs are not mutated, may be of any depth and may hold cycles.
 */
export function redactMessages<Message>(messages: readonly Message[], options?: RedactOptions): readonly Message[] {
  return standard.redactMessages(messages, options);
}

/**
 * Redacts every string and key inside a JSON-like value of any shape: a state, a configuration, a log record. As
 * {@link redactMessages}, but no field is spared. Dates, bytes, maps and other objects that are not plain stay as they are.
 */
export function redactValue<Value>(value: Value, options?: RedactOptions): Value {
  return standard.redactValue(value, options);
}
