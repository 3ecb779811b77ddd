import type { Finding } from './finding.ts';
import { createRedactor, type RedactOptions, type Redactor } from './redact.ts';

const standard: Redactor = /* @__PURE__ */ createRedactor();

/** Masks every secret in a text by the built-in rules; returns the same string when there is none. Never throws. */
export function redact(text: string, options?: RedactOptions): string {
  return standard.redact(text, options);
}

/** Where the built-in rules find secrets: kind, start and end, never the secret itself. */
export function inspect(text: string, options?: RedactOptions): Finding[] {
  return standard.inspect(text, options);
}

/**
 * Redacts every string in messages of any provider: content, parts, reasoning, tool-call arguments (which stay
 * valid JSON). Untouched messages are the same objects; when all are, so is the array. Inputs are not mutated.
 */
export function redactMessages<Message>(messages: readonly Message[], options?: RedactOptions): readonly Message[] {
  return standard.redactMessages(messages, options);
}
