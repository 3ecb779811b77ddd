import { edit, list, read, run, runFailing, search, write } from '../../call.ts';
import type { Scenario } from '../../scenario.ts';
import { extract, type Session } from '../../session.ts';
import { plainTools } from '../../tools/tool-set.ts';
import { systemPrompt } from '../system-prompt.ts';
import { writeHistory } from './history.ts';

const JUDGE = `import { readFileSync } from 'node:fs';

// Exit 0: right, 1: wrong, 125: cannot be judged (git bisect skips it).
let invoice;
try {
  invoice = await import(process.cwd() + '/src/invoice.js');
} catch (error) {
  console.log('does not load: ' + error.message);
  process.exit(125);
}
const lines = readFileSync('examples/march.txt', 'utf8').trim().split('\\n').map(invoice.parseLine);
const { tax } = invoice.totals(lines);
console.log('tax ' + tax);
process.exit(tax === Number(process.argv[2]) ? 0 : 1);
`;

const REGRESSION = `
test('an invoice whose lines round up one by one is taxed on the sum', () => {
  const lines = ['9 x 0.15 @ 19%', '9 x 0.25 @ 19%', '7 x 0.35 @ 7%', '12 x 0.35 @ 7%', '5 x 1.05 @ 7%'].map(parseLine);
  // 19 % of 3.60 is 0.684, 7 % of 11.90 is 0.833.
  assert.deepEqual(totals(lines), { net: 1550, tax: 151, gross: 1701 });
});
`;

async function play(session: Session): Promise<void> {
  session.system(
    systemPrompt('invoice-lines', 'invoice-lines computes totals of invoices; accounting uses its output.'),
  );
  session.user(
    'Accounting says the tax on the March invoice (examples/march.txt) is off by a cent or two since we updated. 1.2.0 was right. Find out which commit did it before you change anything.',
  );
  const [, log] = await session.act(
    'First the two ends: what HEAD says, what 1.2.0 said, and the commits between.',
    list(),
    run('git log --oneline v1.2.0..HEAD'),
    run('node src/cli.js examples/march.txt'),
    run(
      'rm -rf /tmp/old && git worktree add -q /tmp/old v1.2.0 && cd /tmp/old && node src/cli.js examples/march.txt; git worktree remove /tmp/old',
    ),
    run('npm test 2>&1 | tail -n 9'),
  );
  const [, judged] = await session.act(
    `The two differ, and the test suite passes at HEAD, so no test knows about this. ${log!.split('\n').length} commits: a job for \`git bisect run\`. A judge outside the tree, so that checkouts do not touch it.`,
    write('/tmp/judge.mjs', JUDGE),
    runFailing(1, 'node /tmp/judge.mjs 6003'),
    run('cat examples/march.txt'),
    read('src/invoice.js'),
  );
  const wrong = extract(judged, /tax (\d+)/);
  const [right] = await session.act(
    `HEAD computes ${wrong} hundredths. I passed a number from memory; the right one is what 1.2.0 computes.`,
    run('git stash list && git checkout -q v1.2.0 && (node /tmp/judge.mjs 0 || true) && git checkout -q main'),
  );
  const expected = extract(right, /tax (\d+)/);
  const [bisect] = await session.act(
    `${expected} it is, against ${wrong}.`,
    run(`git bisect start main v1.2.0 && git bisect run node /tmp/judge.mjs ${expected}`),
  );
  const commit = extract(bisect, /([0-9a-f]{40}) is the first bad commit/).slice(0, 7);
  await session.act(null, run('git bisect log | grep "^#"'), run('git bisect reset'), run(`git show ${commit}`));
  await session.act(
    'One culprit does not mean there is only one: the other changes to the sources since 1.2.0, read once.',
    run("git log -p --reverse --format='--- %h %s' v1.2.0..HEAD -- src"),
  );
  session.say(
    `It is ${commit}, "Compute totals in one pass over the lines". Before, tax was rounded once for each rate over the sum of its lines; since then it is rounded line by line. On the March invoice that gives ${wrong} instead of ${expected} hundredths. The comment above \`totals\` still describes the old rule, and no test covers more than one line. The other commits since 1.2.0 do not touch amounts. Nothing is changed so far.`,
  );

  session.user('Good find. Revert that commit, please.');
  await session.act(
    'A revert, then what can prove it wrong.',
    run(`git revert --no-edit ${commit} && git log --oneline | head -2`),
    run('node src/cli.js examples/march.txt'),
    run('npm test 2>&1 | tail -n 9'),
  );
  session.say(
    `Reverted; tax on the March invoice is ${expected} again and the suite passes. There is still no test that would have caught it.`,
  );

  session.user(
    'Hmm, wait. I changed my mind: the one pass was done because of invoices with 200k lines, we call totals in a loop there. Take the revert back out (it is not pushed) and fix it forward: one pass, rounding per rate. And from now on: every bug fix comes with a regression test that is named after the symptom, and you show me that it fails without the fix.',
  );
  await session.act(
    'The revert is not pushed, so it can go. Then test first: it has to fail on the code as it is.',
    run('git reset -q --hard HEAD~1 && git log --oneline | head -2'),
    read('src/invoice.js'),
    read('test/invoice.test.js'),
  );
  await session.act(
    null,
    edit('test/invoice.test.js', 'gross: 2400 });\n});\n', `gross: 2400 });\n});\n${REGRESSION}`),
  );
  await session.act(null, runFailing(1, 'node test/invoice.test.js'));
  await session.act(
    'It fails for the right reason. Now one pass over the lines that collects sums, and one rounding for each rate (there are a handful).',
    edit(
      'src/invoice.js',
      '  let sum = 0;\n  let tax = 0;\n  for (const { quantity, price, tax: rate } of lines) {\n    sum += quantity * price;\n    tax += Math.round((quantity * price * rate) / 100);\n  }\n  return',
      '  const sums = [];\n  for (const { quantity, price, tax: rate } of lines) sums[rate] = (sums[rate] ?? 0) + quantity * price;\n  let sum = 0;\n  let tax = 0;\n  sums.forEach((amount, rate) => {\n    sum += amount;\n    tax += Math.round((amount * rate) / 100);\n  });\n  return',
    ),
    search('totals\\(', { include: '*.js' }),
  );
  await session.act(
    null,
    run('node test/invoice.test.js'),
    run(`node /tmp/judge.mjs ${expected}`),
    run('npm test'),
    read('src/invoice.js', 10, 30),
  );
  const [, stat] = await session.act(
    null,
    run('git add -A && git commit -q -m "Round tax once for each rate again, in one pass" && git status --short'),
    run('git show --stat --format="%h %s" HEAD'),
  );
  session.say(
    `Fixed forward in ${extract(stat, /^([0-9a-f]{7}) /)}: one pass collects the sum of each rate, then each rate is rounded once. The new test "an invoice whose lines round up one by one is taxed on the sum" failed before the change and passes with it; the judge script agrees with 1.2.0 on the March invoice. 1.3.0 has the bug, 1.2.0 has not.`,
  );
  session.user(
    'Perfect. Last thing: 1.3.0 went out to two customers. Make a branch release-1.3 from the tag, bring only the fix and its test over, set the version to 1.3.1, and tell me exactly which invoices can have been wrong, so that I can write to them. Remember the rule about regression tests there too.',
  );
}

/** A rounding bug, found with git bisect. Short; ends with an unanswered request. */
export const bisect: Scenario = {
  id: 'bisect-a-wrong-cent',
  title: 'Two cents of tax too much, found with git bisect',
  description:
    'Short: a regression is bisected over sixteen commits, reverted, then fixed forward after a change of mind.',
  project: 'invoice-lines',
  startedAt: '2025-04-02T08:15:00Z',
  tools: plainTools,
  prepare: writeHistory,
  play,
};
