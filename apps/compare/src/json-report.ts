import { maskedJson } from '@palimpsest/core';
import { redactText } from './redact-input.ts';

/** What `--json` prints, with the secrets in its texts masked: names, file paths and reasons come from transcripts. */
export function jsonReport(report: object): string {
  return `${JSON.stringify(maskedJson({ version: 1, ...report }, redactText), null, 2)}\n`;
}
