import { failed, passed, type ToolFamily } from '../tool-family.ts';

/** Python's unittest, and Django's test runners. */
export const unittest: ToolFamily = {
  commands: [
    { programs: ['unittest', 'nose2', 'nosetests', 'runtests.py'] },
    { programs: ['manage.py', 'django-admin'], subcommands: ['test', 'check', 'migrate', 'makemigrations'] },
  ],
  verdicts: [
    failed(/^FAILED \((?:[a-z ]+=\d+(?:, )?)+\)$/),
    failed(/^NO TESTS RAN\b/),
    passed(/^OK(?: \([a-z ]+=\d+.{0,60}\))?$/),
  ],
  failing: [/^(?:FAIL|ERROR): (?<name>\S{1,200}(?: \([\w.]{1,250}\))?)/],
  count: /\bfailures=(\d+)/,
};
