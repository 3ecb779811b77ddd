import { redactText } from './redact-input.ts';

/** What `--json` prints, with the secrets in its texts masked: names, file paths and reasons come from transcripts. */
export function jsonReport(report: object): string {
  const masked = (_: string, value: unknown): unknown => (typeof value === 'string' ? redactText(value) : value);
  return `${JSON.stringify({ version: 1, ...report }, masked, 2)}\n`;
}
