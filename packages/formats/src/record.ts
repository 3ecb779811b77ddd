import { type Fields, isRecord } from '@palimpsest/core/authoring';

export type { Fields };

/** True for a value that is absent. */
export function isNothing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Gives access to the fields of a native value that its type does not declare. */
export function fieldsOf(value: object): Fields {
  return value as Fields;
}

/** The objects in a list; none for any other value. */
export function recordsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The fields of an object; none for any other value. */
export function fieldsIn(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
