/** An object whose fields have not been looked at yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for an object that is no array. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a native value whose type names only some of them. */
export function fieldsOf(value: object): Fields {
  return value as Fields;
}
