import { describe, expectTypeOf, it } from 'vitest';
import { PalimpsestError } from '../src/index.ts';

describe('the code of an error', () => {
  const error: unknown = new PalimpsestError('OTHER_PACKAGE', 'message');

  it('can be compared with the code of any package', () => {
    if (PalimpsestError.is(error)) expectTypeOf(error.code === 'OTHER_PACKAGE').toEqualTypeOf<boolean>();
  });

  it('has the given type', () => {
    if (PalimpsestError.is<'ONE' | 'TWO'>(error)) expectTypeOf(error.code).toEqualTypeOf<'ONE' | 'TWO'>();
  });

  it('is inferred from the constructor, and fits where any code is expected', () => {
    const one = new PalimpsestError('ONE', 'message');
    expectTypeOf(one.code).toEqualTypeOf<'ONE'>();
    expectTypeOf(one).toExtend<PalimpsestError>();
  });
});
