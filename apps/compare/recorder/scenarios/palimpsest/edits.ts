import { read, run, runFailing, search } from '../../call.ts';
import { extract, type Session } from '../../session.ts';

/** The agent reads the central files of the core package and explains them. */
export async function explainEdits(session: Session): Promise<void> {
  session.user(
    'Thanks. Now explain to me how an edit travels: who makes edits, how they are checked, applied and composed, and where the provenance comes from. Read the code, do not guess; give file and line for each step. From now on keep every answer under 300 words.',
  );
  await session.act(
    'From the types outward: message, edit, group, transcript, draft.',
    read('packages/core/src/message.ts'),
    read('packages/core/src/edit.ts'),
    read('packages/core/src/group.ts'),
    read('packages/core/src/transcript.ts'),
    read('packages/core/src/draft.ts'),
  );
  await session.act(
    'What is done with a plan.',
    read('packages/core/src/plan-check.ts'),
    read('packages/core/src/apply.ts'),
    read('packages/core/src/compose.ts'),
    read('packages/core/src/provenance.ts'),
    read('packages/core/src/report-writer.ts'),
  );
  await session.act(
    'And who calls it: the engine, once for all planners.',
    read('packages/core/src/create-engine.ts', 1, 180),
    read('packages/core/src/create-engine.ts', 150, 180),
    read('packages/core/src/contract-check.ts'),
    read('packages/core/src/place-handoff.ts'),
  );
  await session.act(
    'Can I run a tiny example, to show it instead of telling it?',
    runFailing(
      1,
      'node -e "import(\'./packages/core/src/index.ts\').then((core) => console.log(Object.keys(core).length))"',
    ),
    runFailing(9, 'node --experimental-strip-types -e "1"'),
    runFailing(2, 'ls node_modules packages/core/dist'),
  );
  const [declared, used] = await session.act(
    'No: this Node does not load TypeScript, nothing is installed and nothing is built. Then exact places, to point at.',
    run(
      'grep -nE "^export (async )?(function|class|interface|type)" packages/core/src/{edit,draft,plan-check,apply,compose,provenance,create-engine}.ts',
    ),
    search('PLAN_CONFLICT|checkPlan|apply\\(|compose\\(', { path: 'packages', include: '*.ts' }),
    read('packages/core/src/draft.ts', 40, 60),
    read('packages/core/src/apply.ts'),
  );
  await session.act(
    'One thing I have to be sure of before I say it: how a second rewrite meets the first one.',
    read('packages/core/src/draft.ts'),
    read('packages/core/src/compose.ts', 30, 60),
    read('packages/core/src/errors.ts'),
    read('packages/core/src/trigger.ts'),
  );
  const at = (pattern: RegExp) => extract(declared, pattern);
  session.say(
    `In five steps, all in packages/core/src:

1. An engine's planner makes edits. It may collect them in a \`Draft\` (draft.ts:${at(/draft\.ts:(\d+):export class Draft/)}), which shows each message as earlier phases left it, or write the array itself. An edit is JSON (edit.ts:${at(/edit\.ts:(\d+):export type Edit\b/)}): \`rewrite\` for one message, \`replace\` for a range of groups, so it cannot cut a call from its result.
2. A second rewrite of a message in a Draft receives the first one's result; a replace supersedes the rewrites below it.
3. \`checkPlan\` (plan-check.ts:${at(/plan-check\.ts:(\d+):export function checkPlan/)}) refuses plans that are malformed (\`PLAN_INVALID\`) or contradict themselves (\`PLAN_CONFLICT\`), before anything is changed.
4. \`apply\` (apply.ts:${at(/apply\.ts:(\d+):export function apply/)}) makes the new messages and with them the provenance (provenance.ts:${at(/provenance\.ts:(\d+):export interface Provenance/)}): where each message that comes out is from, what became of each that went in.
5. \`compose\` (compose.ts:${at(/compose\.ts:(\d+):export function compose/)}) turns two plans, the second made on the output of the first, into one on the original messages.

\`createEngine\` (create-engine.ts:${at(/create-engine\.ts:(\d+):export function createEngine/)}) calls apply for every engine at line ${extract(used, /create-engine\.ts:(\d+): const applied = apply\(messages, plan\.edits/)}; contract-check.ts looks at the result.

What I did not do: run an example. This Node loads no TypeScript, and the dependencies are not installed.`,
  );
}
