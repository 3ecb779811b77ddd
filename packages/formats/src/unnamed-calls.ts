import { type Message, toolCalls } from '@palimpsest/core';
import type { Fields } from './record.ts';

const made = /^unnamed_\d+_\d+$/;

/** Some APIs give calls no ids. Core needs one: it is made from the call's place, and never sent. */
export function callId({ id }: Fields, at: number, number: number): string {
  return typeof id === 'string' && id !== '' ? id : `unnamed_${at}_${number}`;
}

/** True for an id that the API knows, and not one that {@link callId} made. */
export function isGivenId(id: string): boolean {
  return id !== '' && !made.test(id);
}

/** The field with an id, without one that {@link callId} made. */
export function idField(id: string): { readonly id?: string } {
  return isGivenId(id) ? { id } : {};
}

/** A call that waits for its result. */
export interface OpenCall {
  readonly id: string;
  readonly name: string;
}

/** The calls of a message that are functions. */
export function openCallsOf(message: Message): readonly OpenCall[] {
  return toolCalls(message).flatMap((call) =>
    call.type === 'function' ? [{ id: call.id, name: call.function.name }] : [],
  );
}

/** Calls that wait for their results. */
export class OpenCalls {
  readonly #ids: ReadonlySet<string>;
  readonly #answered: Set<string> = new Set();
  /** Ids by the name of their tool, the first one last; those of all tools have an empty name. */
  readonly #byName: Map<string, string[]> = new Map();

  constructor(calls: readonly OpenCall[]) {
    this.#ids = new Set(calls.map(({ id }) => id));
    for (const { id, name } of calls.toReversed()) for (const key of [name, '']) this.#add(key, id);
  }

  /** The id of the call that a result answers: the one it names, or else the next one to the same tool, or to any without a name. */
  answer(id: string, name: string): string {
    const alike = this.#byName.get(name) ?? [];
    let found = this.#ids.has(id) ? id : alike.pop();
    while (found !== undefined && found !== id && this.#answered.has(found)) found = alike.pop();
    if (found !== undefined) this.#answered.add(found);
    return found ?? id;
  }

  #add(name: string, id: string): void {
    const alike = this.#byName.get(name);
    if (alike) alike.push(id);
    else this.#byName.set(name, [id]);
  }
}
