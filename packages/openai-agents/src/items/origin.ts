import type { Fields } from '@palimpsest/core/authoring';
import type { ResponsesItem } from '@palimpsest/formats';

/**
 * The SDK's item or part that an item of Responses was made from. As a symbol, it is neither counted nor sent, and copies
 * that an edit makes with a spread keep it.
 */
const origin = Symbol('origin');

/** What each item and part of the SDK was converted to. An edited copy is not in it. */
const converted = new WeakMap<object, object>();

/** Converts an item or part of the SDK, once. */
export function convertOnce<Given extends object>(given: Given, convert: (given: Given) => Fields): ResponsesItem {
  const known = converted.get(given);
  if (known) return known as ResponsesItem;
  const made = { ...convert(given), [origin]: given };
  converted.set(given, made);
  return made as ResponsesItem;
}

/** What an item or part was made from; `undefined` if it is new. `isEdited`: it is a changed copy. */
export function originOf(item: object): { readonly item: Fields; readonly isEdited: boolean } | undefined {
  const made = (item as { readonly [origin]?: Fields })[origin];
  return made && { item: made, isEdited: converted.get(made) !== item };
}
