import { invalidOption, invalidOptions, OptionCheck, withOptionOwner } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';

describe('an option check', () => {
  it('reports all problems in one error', () => {
    const check = new OptionCheck();
    check.expect(true, 'auto', 'true or false', 'true');
    check.expect(false, 'id', 'a non-empty string', '""');
    check.expect(false, 'limits.attempts', 'a number from 1 to 20', '0');
    const issues = [
      { path: 'id', message: 'expected a non-empty string; given: ""' },
      { path: 'limits.attempts', message: 'expected a number from 1 to 20; given: 0' },
    ];
    expect(() => check.finish('createSession')).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        message:
          '2 options of createSession are not valid:\n' +
          '  id: expected a non-empty string; given: ""\n' +
          '  limits.attempts: expected a number from 1 to 20; given: 0',
        details: { issues },
      }),
    );
  });

  it('rejects options that are not known, and names the nearest and the known ones', () => {
    const check = new OptionCheck();
    check.known('', { shapeResult: true, auto: true, unset: undefined }, ['auto', 'shapeResults']);
    check.known('limits', { tries: 3 }, ['attempts', 'rapid']);
    check.known('recall', true, ['store']);
    check.known('tokens', new Map(), []);
    expect(() => check.finish('createSession')).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        message:
          '2 options of createSession are not valid:\n' +
          '  shapeResult: unknown option. Did you mean "shapeResults"? Known: auto, shapeResults.\n' +
          '  limits.tries: unknown option. Known: attempts, rapid.',
      }),
    );
  });

  it('does not throw if all options are valid', () => {
    const check = new OptionCheck();
    check.expect(true, 'auto', 'true or false', 'true');
    expect(() => check.finish()).not.toThrow();
  });
});

describe('a function that passes options on', () => {
  it('names itself in the error about them, and leaves other errors alone', () => {
    const failing = () => {
      throw invalidOption('id', 'a string', 'nothing', { owner: 'createSession' });
    };
    expect(() => withOptionOwner('createContextFetch', failing)).toThrow(
      'One option of createContextFetch is not valid:\n  id: expected a string; given: nothing',
    );
    const other = new Error('not found');
    const broken = () => {
      throw other;
    };
    expect(() => withOptionOwner('createContextFetch', broken)).toThrow(other);
    expect(withOptionOwner('createContextFetch', () => 7)).toBe(7);
  });
});

describe('the error for an invalid option', () => {
  it('names the option, what was expected and what was given', () => {
    const cause = new Error('not found');
    const error = invalidOption('tokenizer', 'a module', '"x"', { cause });
    expect(error.message).toBe('One option is not valid:\n  tokenizer: expected a module; given: "x"');
    expect(error.cause).toBe(cause);
  });

  it('has a cause only if one is given', () => {
    expect('cause' in invalidOption('id', 'a string', 'nothing', { owner: 'run' })).toBe(false);
  });

  it('names the options as a whole if the path is empty', () => {
    const issues = [{ path: '', message: 'Unrecognized key: "trns"' }];
    expect(invalidOptions(issues, { owner: 'mine' }).message).toBe(
      'One option of mine is not valid:\n  options: Unrecognized key: "trns"',
    );
  });
});
