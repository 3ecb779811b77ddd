import { redactText } from '../inputs/redact-input.ts';
import { escapeHtml } from './escape.ts';

/**
 * Masks secrets and escapes HTML, for text on the page that `--html` writes. The page is meant to be shared, so all
 * text from a transcript must be masked.
 */
export function shareableText(text: string): string {
  return escapeHtml(redactText(text));
}
