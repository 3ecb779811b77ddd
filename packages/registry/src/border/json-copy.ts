import { PalimpsestError } from '@palimpsest/core';
import { maskedJson } from '@palimpsest/core/authoring';
import { structuralCopy } from './structural-copy.ts';

/** Far above any real plan. Stops values without an end, such as a proxy that always returns another object. */
const maximumValues = 1_000_000;
const maximumDepth = 200;

export interface JsonCopyOptions {
  /** Deep-freeze the copy. @default false */
  readonly frozen?: boolean | undefined;
  /** Masks secrets in every string of the copy. */
  readonly redact?: ((text: string) => string) | undefined;
}

/**
 * Deep-copies a JSON value. Every property is read once, so a getter or proxy cannot return something else later.
 * Properties that are `undefined` are omitted, as in `JSON.stringify`.
 * @param what the value's name in error messages, such as `the state of the plan`
 * @throws {PalimpsestError} `PLAN_INVALID` for functions, symbols, big integers, `NaN`, infinities, class instances,
 * cycles, and for more than 1,000,000 values or 200 levels
 */
export function jsonCopy(value: unknown, what: string, options: JsonCopyOptions = {}): unknown {
  let values = 0;
  const ancestors = new Set<object>();
  const refuse = (problem: string): never => {
    throw new PalimpsestError('PLAN_INVALID', `${capitalised(what)} is not JSON: ${problem}.`, { what });
  };
  const copy = (source: unknown): unknown => {
    if (++values > maximumValues)
      return refuse(`it contains more than ${maximumValues.toLocaleString('en-US')} values`);
    if (source === null || typeof source === 'boolean') return source;
    if (typeof source === 'string') return source;
    if (typeof source === 'number') return Number.isFinite(source) ? source : refuse(`it contains ${source}`);
    if (typeof source !== 'object') return refuse(`it contains a value of type ${typeof source}`);
    if (ancestors.has(source)) return refuse('it has a circular reference');
    if (ancestors.size >= maximumDepth) return refuse(`it is nested deeper than ${maximumDepth} levels`);
    ancestors.add(source);
    const result = Array.isArray(source) ? copyArray(source) : copyObject(source);
    ancestors.delete(source);
    return result;
  };
  const copyArray = (source: readonly unknown[]): unknown[] => {
    if (source.length > maximumValues)
      return refuse(`it contains more than ${maximumValues.toLocaleString('en-US')} values`);
    return Array.from({ length: source.length }, (_, index) => copy(source[index]));
  };
  const copyObject = (source: object): object => {
    const prototype: unknown = Object.getPrototypeOf(source);
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) refuse('it contains an instance of a class');
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(source)) {
      const item = (source as Record<string, unknown>)[key];
      if (item === undefined) continue;
      // Assigning to this key would set the prototype.
      if (key === '__proto__') refuse('it has a key "__proto__"');
      result[key] = copy(item);
    }
    return result;
  };
  const own = copy(value);
  const masked = options.redact ? maskedJson(own, options.redact) : own;
  return options.frozen ? structuralCopy(masked) : masked;
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
