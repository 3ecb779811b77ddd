import { edit, editFailing, read, run, runFailing, search, write } from '../../call.ts';
import { bundled } from '../../scenario.ts';
import { extract, type Session } from '../../session.ts';

/** The agent finds out who was charged twice. The user continues in English; a script fails on a broken line. */
export async function findDoubleCharges(session: Session, files: ReadonlyMap<string, string>): Promise<void> {
  session.user(
    'My colleague Priya from payments reads along now, so from here on in English please. Her question: the worker retried orders that had timed out. Was anybody charged twice, and how much? Keep the rules from before: logs untouched, file and line for every claim, UTC, no CSV.',
  );
  const [retries] = await session.act(
    'The worker log first: what a retry looks like, and how many there were.',
    run(
      "grep -c 'attempt 2)' logs/worker.log; grep -c 'confirmed on attempt 2' logs/worker.log; grep -c 'given up' logs/worker.log",
    ),
    read('logs/worker.log', 1, 120),
    search('"attempt":2', { path: 'logs/payments.jsonl' }),
  );
  const [, again, confirmed] = /"output":"(\d+)\\n(\d+)/.exec(retries!) ?? [];
  await session.act(
    `${again} orders were tried again, ${confirmed} of them confirmed on the second attempt. Whether the first attempt charged as well is in payments.jsonl. A script with a test, since somebody will refund money because of it.`,
    write('analysis/twice.mjs', bundled(files, 'analysis/twice.mjs')),
    write('analysis/twice.test.mjs', bundled(files, 'analysis/twice.test.mjs')),
  );
  await session.act(
    null,
    runFailing(1, 'node analysis/twice.mjs'),
    runFailing(1, 'node --test analysis/twice.test.mjs'),
  );
  const [broken] = await session.act(
    'Both fail on the same thing: a line that is no JSON. The test I wrote for that case was right to exist. Where is the line in the log, and is it the only one?',
    run(
      "node -e \"require('fs').readFileSync('logs/payments.jsonl', 'utf8').trim().split('\\n').forEach((l, i) => { try { JSON.parse(l); } catch (e) { console.log(i + 1, l); } })\"",
    ),
  );
  const line = Number(extract(broken, /"output":"(\d+) /));
  await session.act(
    `Exactly one, logs/payments.jsonl:${line}, cut off in the middle. Its surroundings, to know what is lost; then the script passes over such lines and says how many.`,
    read('logs/payments.jsonl', line - 12, 25),
    editFailing('analysis/twice.mjs', '    const entry = JSON.parse(line)\n', ''),
  );
  await session.act(
    'My edit left out the semicolon. Once more, with the text as it stands.',
    edit(
      'analysis/twice.mjs',
      '    const entry = JSON.parse(line);\n',
      '    let entry;\n    try {\n      entry = JSON.parse(line);\n    } catch {\n      // The service was killed while it wrote.\n      console.error(`line ${index + 1} is cut off and passed over`);\n      continue;\n    }\n',
    ),
  );
  const [, twice] = await session.act(null, run('node --test analysis/twice.test.mjs'), run('node analysis/twice.mjs'));
  const summary = extract(twice, /(\d+ orders, \d+ customers, \d+ hundredths) too much/);
  await session.act(
    `Tests pass, and the result: ${summary}. I check one order by hand in all three logs before I trust it, and read the region where the double charges are densest.`,
    run(`grep -n "${extract(twice, /(o-\d+) c-/)}" logs/*`),
    read('logs/payments.jsonl', 300, 110),
    read('logs/worker.log', 60, 140),
    run('git status --short logs; git diff --stat -- logs'),
  );
  session.say(
    `Yes. ${summary} were charged too much, each order once too often. Both charges stand in logs/payments.jsonl with the same order number but different req values: the worker's retry is a new request, and the first one went through after the gateway had already given up on it. As far as the logs show, nothing ties the two together (no idempotency key). The list with lines and times is printed by \`node analysis/twice.mjs\`. One line (logs/payments.jsonl:${line}) is cut off and cannot be judged. The files in logs/ are unchanged (git status is clean there).`,
  );
}
