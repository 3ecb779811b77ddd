import type { Fields } from '../record.ts';

const made = /^unnamed_\d+_\d+$/;

/** Older models give their calls no ids. Core needs one: it is made from the call's place, and never sent. */
export function callId({ id }: Fields, at: number, number: number): string {
  return typeof id === 'string' && id !== '' ? id : `unnamed_${at}_${number}`;
}

/** The field with an id, without one that {@link callId} made. */
export function idField(id: string): { readonly id?: string } {
  return id === '' || made.test(id) ? {} : { id };
}
