import { failed, passed, type ToolFamily } from '../tool-family.ts';

export const gradle: ToolFamily = {
  commands: [
    {
      programs: ['gradle', 'gradlew'],
      target: true,
      valued: ['-p', '--tests', '-x', '-b'],
      idle: ['tasks', '--dry-run', '--stop'],
    },
  ],
  verdicts: [
    failed(/^\d+ tests? completed, [1-9]\d* failed/),
    failed(/^BUILD FAILED\b/),
    failed(/^(?:FAILURE: Build (?:failed|completed)|> Task \S+ FAILED)/),
    passed(/^BUILD SUCCESSFUL\b/),
  ],
  failing: [
    /^(?<name>[\w$.]{1,200} > \S.{0,200}?) FAILED$/,
    /^e: (?:file:\/\/)?(?<name>\S{1,250}\.kts?:\d+)/,
    /^(?<name>\/?\S{1,250}\.java:\d+): error: /,
  ],
  count: /completed, (\d+) failed/,
};
