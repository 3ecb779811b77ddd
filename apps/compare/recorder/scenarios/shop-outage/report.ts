import { plan, read, run, write } from '../../call.ts';
import { extract, type Session } from '../../session.ts';

/** The agent writes a report for the team, and answers a last question in German. */
export async function writeReport(session: Session): Promise<void> {
  session.user(
    'Priya here, using the same session. Please write REPORT.md for the review meeting: timeline, cause, impact, what would have prevented it. One page, never more. Every number with the command that produces it, and from now on no names of people in anything we write down.',
  );
  const [rate, twice, gateway] = await session.act(
    'Numbers fresh from the commands, so that report and commands agree.',
    run('node analysis/rate.mjs 10'),
    run('node analysis/twice.mjs 2>&1 | tail -n 2'),
    run("grep -n ' 502 ' logs/gateway.log | sed -n '1p;$p' && grep -c ' 502 ' logs/gateway.log"),
    read('logs/deploy.log'),
    read('analysis/rate.mjs'),
  );
  const summary = extract(twice, /(\d+ orders, \d+ customers, \d+ hundredths) too much/);
  const failed = extract(gateway, /\\n(\d+)"/);
  const { output: table } = JSON.parse(rate!) as { output: string };
  await session.act(
    null,
    write(
      'REPORT.md',
      `# Failed checkouts on 18 February

All times UTC.

## Timeline
- 14:03:00 revision 7742 of the payment configuration is applied (logs/deploy.log:5); the connection pool shrinks from 20 to 2.
- 14:29:10 the worker is scaled from 2 to 6 (logs/deploy.log:7); the share of errors does not fall.
- 14:41:00 revision 7741 is applied again (logs/deploy.log:9); the errors end.

## Cause
Two connections serve what twenty used to. Requests wait; the gateway gives up after 30 s and answers 502.

## Impact
- ${failed} checkouts answered with 502: \`grep -c ' 502 ' logs/gateway.log\`
- charged twice: ${summary}: \`node analysis/twice.mjs\`

\`\`\`
${table}
\`\`\`
(\`node analysis/rate.mjs 10\`)

## What would have prevented it
- A retry that carries the order number as idempotency key: no double charge.
- A bound on pool.max in the configuration check: no outage.
- An alarm on the waiting time for a connection: minutes instead of thirty-eight.
`,
    ),
  );
  await session.act(
    null,
    run("wc -w REPORT.md && grep -n -i priya REPORT.md analysis/* || echo 'no names'"),
    run(
      'git add -A && git commit -q -m "Report on the failed checkouts, with the scripts behind its numbers" && git show --stat --format="%h %s" HEAD',
    ),
    plan('done: Ursache', 'done: Verlauf der Fehlerrate', 'done: Doppelte Abbuchungen', 'done: REPORT.md'),
  );
  session.say(
    'REPORT.md is written and committed: timeline, cause, impact, prevention, each number with its command, no names in it.',
  );

  session.user(
    'Danke euch. Letzte Frage von mir: Wie viele Kunden haben einen Fehler gesehen und danach gar nicht mehr bestellt? Eine Zahl genügt.',
  );
  const [lost] = await session.act(
    'Kunden mit mindestens einer 502, für die danach kein 201 mehr im Gateway-Log steht.',
    run(
      "node -e \"const s = new Map(); for (const l of require('fs').readFileSync('logs/gateway.log', 'utf8').split('\\n')) { const m = / POST \\/checkout (\\d+) .*customer=(\\S+)/.exec(l); if (!m) continue; const e = s.get(m[2]) || { failed: false, after: false }; if (m[1] === '502') { e.failed = true; e.after = false; } else e.after = true; s.set(m[2], e); } const f = [...s.values()].filter((e) => e.failed); console.log(f.length, f.filter((e) => !e.after).length)\"",
    ),
  );
  const [, saw, gone] = /"output":"(\d+) (\d+)"/.exec(lost!) ?? [];
  session.say(
    `${gone} von ${saw} Kunden, die einen Fehler gesehen haben (logs/gateway.log, bis 15:30 UTC). Wer später am Tag wiederkam, steht nicht in diesen Logs.`,
  );
}
