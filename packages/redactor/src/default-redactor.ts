import type { Finding } from './finding.ts';
import { createRedactor, type RedactOptions, type Redactor } from './redact.ts';

const defaultRedactor: Redactor = /* @__PURE__ */ createRedactor();

/**
 * Masks every secret in a text with the built-in rules. Returns the same string if there is none. Never throws. Null
 * and undefined are returned unchanged; other values that are not strings are converted to strings first.
 */
export function redact(text: string, options?: RedactOptions): string {
  return defaultRedactor.redact(text, options);
}

/** Finds secrets in a text with the built-in rules. Returns kind, start and end of each, never the secret itself. */
export function inspect(text: string, options?: RedactOptions): Finding[] {
  return defaultRedactor.inspect(text, options);
}

/**
 * Redacts every string in messages of any provider: content, parts, reasoning, tool-call arguments (which stay valid
 * JSON), object keys, and secrets split over the parts of one message. Protocol fields (`role`, `type`, signatures, ids
 * that link calls to results) and embedded files stay. Unchanged messages are the same objects; if none changed, the
 * array is the same too. Inputs are not mutated, and may have any depth and contain cycles.
 */
export function redactMessages<Message>(messages: readonly Message[], options?: RedactOptions): readonly Message[] {
  return defaultRedactor.redactMessages(messages, options);
}

/**
 * Redacts every string and key in a JSON-like value of any shape, such as state, configuration or a log record. Works
 * like {@link redactMessages}, but exempts no field. Dates, bytes, maps and other non-plain objects stay unchanged.
 */
export function redactValue<Value>(value: Value, options?: RedactOptions): Value {
  return defaultRedactor.redactValue(value, options);
}
