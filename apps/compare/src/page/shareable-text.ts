import { redactText } from '../redact-input.ts';
import { escapeHtml } from './escape.ts';

/**
 * Text of any origin for the page that `--html` writes. The page is made to be sent to others, so everything of a
 * transcript reaches it through here, with its secrets masked.
 */
export function shareableText(text: string): string {
  return escapeHtml(redactText(text));
}
