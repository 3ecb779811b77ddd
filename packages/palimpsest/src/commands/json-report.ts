import { maskJson } from '@palimpsest/core/authoring';
import { redactText } from '@palimpsest/eval/inputs/redact-input';

/** The output of `--json`. Secrets are masked, since names, file paths and reasons come from transcripts. */
export function jsonReport(report: object): string {
  return `${JSON.stringify(maskJson({ version: 1, ...report }, redactText), null, 2)}\n`;
}
