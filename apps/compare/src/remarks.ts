import type { EngineRow } from './run-engine.ts';

/** What the figures of an engine do not say, in sentences. */
export function remarksOn(row: EngineRow): string[] {
  const remarks = [...row.warnings];
  if (row.outcome !== 'compressed') remarks.unshift(`${row.outcome}: ${row.reason}`);
  if (row.inheritedViolations > 0)
    remarks.push(`${row.inheritedViolations} wire violation(s) stood in the input already and were left as they are`);
  return remarks;
}
