import {
  anyRule,
  checkOptions,
  choiceRule,
  countRule,
  eitherRule,
  falseRule,
  filledTextRule,
  groupRule,
  invalidOption,
  invalidOptions,
  listRule,
  numberRule,
  optionSchema,
  switchRule,
  tableRule,
  wholeNumberRule,
  withOptionOwner,
} from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';

const rules = {
  auto: switchRule,
  id: filledTextRule,
  limits: groupRule({ attempts: numberRule(1, 20), rapid: anyRule }),
  pins: listRule(filledTextRule, 'a list of phrases'),
  byModel: tableRule(eitherRule(falseRule, groupRule({ tokens: wholeNumberRule(1) }, '{ tokens }')), 'an object'),
  mode: choiceRule(['full', 'free', 'none']),
};

const errorOf = (options: object) => {
  try {
    checkOptions('createSession', options, rules);
  } catch (error) {
    return (error as Error).message;
  }
  return null;
};

describe('checkOptions', () => {
  it('reports all problems in one error', () => {
    const issues = [
      { path: 'id', message: 'expected a non-empty string; given: a string of 0 characters' },
      { path: 'limits.attempts', message: 'expected a number from 1 to 20; given: 0' },
    ];
    expect(() => checkOptions('createSession', { auto: true, id: '', limits: { attempts: 0 } }, rules)).toThrow(
      expect.objectContaining({
        code: 'OPTION_INVALID',
        message:
          '2 options of createSession are not valid:\n' +
          '  id: expected a non-empty string; given: a string of 0 characters\n' +
          '  limits.attempts: expected a number from 1 to 20; given: 0',
        details: { issues },
      }),
    );
  });

  it('names the item of a list and of a table', () => {
    const byModel = { 'gpt-5.1': { tokens: 0.5 }, small: false, big: true };
    expect(errorOf({ pins: ['a', 3], byModel, mode: 'half' })).toBe(
      '4 options of createSession are not valid:\n' +
        '  pins[1]: expected a non-empty string; given: 3\n' +
        '  byModel["gpt-5.1"].tokens: expected a whole number of 1 or more; given: 0.5\n' +
        '  byModel.big: expected false, or { tokens }; given: true\n' +
        "  mode: expected 'full', 'free' or 'none'; given: \"half\"",
    );
  });

  it('rejects options that are not known, and names the nearest and the known ones', () => {
    expect(errorOf({ aut: true, unset: undefined, limits: { tries: 3 } })).toBe(
      '2 options of createSession are not valid:\n' +
        '  aut: unknown option. Did you mean "auto"? Known: auto, id, limits, pins, byModel, mode.\n' +
        '  limits.tries: unknown option. Known: attempts, rapid.',
    );
    expect(errorOf(new Map())).toBeNull();
  });

  it('does not throw if all options are valid', () => {
    expect(errorOf({ auto: false, pins: [], byModel: {}, mode: 'free', limits: undefined })).toBeNull();
  });
});

describe('optionSchema', () => {
  const schema = optionSchema<{ readonly turns: number; readonly topic?: string | undefined }>(
    { turns: countRule, topic: filledTextRule },
    { turns: 2 },
  )['~standard'];

  it('fills in the defaults', () => {
    expect(schema.validate(undefined)).toEqual({ value: { turns: 2 } });
    expect(schema.validate({ turns: undefined, topic: 'a' })).toEqual({ value: { turns: 2, topic: 'a' } });
  });

  it('reports all problems with their paths', () => {
    expect(schema.validate({ turns: -1, topc: 'a' })).toEqual({
      issues: [
        { path: ['topc'], message: 'unknown option. Did you mean "topic"? Known: turns, topic.' },
        { path: ['turns'], message: 'expected a whole number of 0 or more; given: -1' },
      ],
    });
    expect(schema.validate('all')).toEqual({
      issues: [{ path: [], message: 'expected an object with options; given: a string of 3 characters' }],
    });
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
