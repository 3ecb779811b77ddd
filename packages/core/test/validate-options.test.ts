import { PalimpsestError } from '@palimpsest/core';
import { type StandardResult, type StandardSchema, validateOptions } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';

function schemaOf<Output>(validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>) {
  return { '~standard': { version: 1, vendor: 'test', validate } } satisfies StandardSchema<unknown, Output>;
}

function errorOf(act: () => unknown): PalimpsestError {
  try {
    act();
  } catch (error) {
    if (error instanceof PalimpsestError) return error;
  }
  throw new Error('expected a PalimpsestError');
}

describe('validateOptions', () => {
  it('returns the output of the schema', () => {
    const schema = schemaOf((value) => ({ value: { turns: 2, ...(value as object) } }));
    expect(validateOptions(schema, { limit: 1 }, 'mine')).toEqual({ turns: 2, limit: 1 });
  });

  it('reports all problems at once, each with its path', () => {
    const issues = [
      { message: 'expected a number', path: ['tail', { key: 'tokens' }] },
      { message: 'Unrecognized key: "trns"' },
    ];
    const error = errorOf(() =>
      validateOptions(
        schemaOf(() => ({ issues })),
        {},
        'mine',
      ),
    );
    expect(error.code).toBe('OPTION_INVALID');
    expect(error.message).toBe(
      '2 options of mine are not valid:\n  tail.tokens: expected a number\n  options: Unrecognized key: "trns"',
    );
    expect(error.details).toEqual({
      issues: [
        { path: 'tail.tokens', message: 'expected a number' },
        { path: '', message: 'Unrecognized key: "trns"' },
      ],
    });
  });

  it('rejects an asynchronous schema', () => {
    const schema = schemaOf(() => Promise.resolve({ value: 1 }));
    expect(errorOf(() => validateOptions(schema, {}, 'mine')).message).toContain('asynchronous');
  });
});
