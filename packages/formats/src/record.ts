/** An object whose fields have not been checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for an object that is not an array. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Gives access to the fields of a native value that its type does not declare. */
export function fieldsOf(value: object): Fields {
  return value as Fields;
}
