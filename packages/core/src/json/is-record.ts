/** An object whose fields have not been checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for an object that is not an array. Its fields have not been checked. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses a JSON object; `null` for any other text. */
export function parseRecord(text: string): Readonly<Record<string, unknown>> | null {
  if (!/^\s*\{/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
