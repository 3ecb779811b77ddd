import { visibleText } from './visible-text.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes untrusted text for element content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => entities[character]!);
}
