/** An object whose fields have not been checked. */
export type Fields = Readonly<Record<string, unknown>>;

/** Gives access to the fields of a native value that its type does not declare. */
export function fieldsOf(value: object): Fields {
  return value as Fields;
}
