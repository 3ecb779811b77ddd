import { edit, list, plan, read, run, search, write } from '../../call.ts';
import { bundled } from '../../scenario.ts';
import { extract, type Session } from '../../session.ts';

/** The agent finds the cause of the outage, in German. */
export async function findCause(session: Session, files: ReadonlyMap<string, string>): Promise<void> {
  session.user(
    'Gestern Nachmittag (18.02.) sind bei uns im Shop reihenweise Bestellungen fehlgeschlagen, und wir wissen nicht, warum. In logs/ liegt alles, was ich habe. Finde bitte die Ursache.\n\nZwei Dinge gelten dabei immer: Die Dateien in logs/ werden nie verändert, die brauchen wir noch als Beleg. Und nenne zu jeder Behauptung die Stelle, also Datei und Zeile, und die Uhrzeit in UTC.',
  );
  const [, counts] = await session.act(
    'Ich verschaffe mir einen Überblick: welche Dateien, wie groß, wie sehen die Zeilen aus.',
    list('logs'),
    run('wc -l logs/*'),
    read('logs/deploy.log'),
    read('logs/gateway.log', 1, 25),
    read('logs/payments.jsonl', 1, 15),
    read('logs/worker.log', 1, 20),
  );
  const lines = extract(counts, /(\d+) logs\/gateway\.log/);
  const [, failed, firstBad] = await session.act(
    `${lines} Zeilen Gateway-Log. Welche Antworten gab es auf welchen Pfaden, und wann beginnen und enden die Fehler?`,
    run("awk '{ print $4, $5 }' logs/gateway.log | sort | uniq -c | sort -rn"),
    run("grep -c ' 502 ' logs/gateway.log"),
    run("grep -n ' 502 ' logs/gateway.log | sed -n '1p;$p'"),
  );
  const number = extract(failed, /"output":"(\d+)"/);
  const first = Number(extract(firstBad, /"output":"(\d+):/));
  const last = Number(extract(firstBad, /\\n(\d+):/));
  const [, waiting] = await session.act(
    `${number} Antworten mit 502, alle auf POST /checkout, von logs/gateway.log:${first} bis :${last}. Ich lese die Umgebung des ersten Fehlers, in allen Logs, und plane dann weiter.`,
    read('logs/gateway.log', first - 60, 240),
    search('"t":"2025-02-18T14:0[2-5]', { path: 'logs/payments.jsonl' }),
    search('2025-02-18T14:0[2-9]', { path: 'logs/worker.log' }),
    plan(
      'done: Überblick über die Logs',
      'active: Was ändert sich beim ersten Fehler?',
      'open: Verdächtige ausschließen (Suche 4.12.1, Zertifikat, Gateway 9.3.3)',
      'open: Verlauf der Fehlerrate',
      'open: Folgen für Kunden',
    ),
  );
  await session.act(
    'Vor 14:03 hat der Pool des Zahlungsdienstes 20 Verbindungen, danach 2, und alles wartet. Das passt auf die Minute zu Revision 7742 in logs/deploy.log:5. Ehe ich das behaupte: bleibt es so, und endet es mit der Rücknahme?',
    run(
      "node -e \"const c = {}; for (const l of require('fs').readFileSync('logs/payments.jsonl', 'utf8').split('\\n')) { const m = /\\\"t\\\":\\\"[^T]+T(\\d\\d:\\d)/.exec(l); const p = /\\\"pool\\\":\\{\\\"size\\\":(\\d+)/.exec(l); if (m && p) { const k = m[1] + '0 size ' + p[1]; c[k] = (c[k] || 0) + 1; } } console.log(c)\"",
    ),
    read('logs/gateway.log', last - 80, 140),
    search('config payments', { path: 'logs/deploy.log' }),
  );
  await session.act(
    'Jetzt die anderen Verdächtigen. Die Suche 4.12.1 ging um 13:52 live und das Gateway 9.3.3 um 14:16: wurde die Suche langsamer, und ändert sich an den Fehlern um 14:16 etwas? Dazu lese ich den Übergang noch einmal, diesmal mit mehr Vorlauf, weil er auch 13:58 (Zertifikat) einschließt.',
    run(
      'awk \'$4 == "/products/search" { split($1, t, ":"); k = substr(t[1], 12) ":" substr(t[2], 1, 1) "0"; n[k]++; v = $6; sub("ms", "", v); if (v + 0 > 1500) s[k]++ } END { for (k in n) print k, n[k], s[k] + 0 }\' logs/gateway.log | sort',
    ),
    read('logs/gateway.log', first - 140, 200),
    run("grep -n '2025-02-18T14:1[5-7]' logs/gateway.log | grep checkout"),
  );
  await session.act(
    'Anteil langsamer Suchen: vor und nach 13:52 in derselben Größenordnung, und die 502 beginnen erst elf Minuten danach; Fehler gibt es vor wie nach dem Gateway-Update. Nun der Verlauf in Zahlen, als kleines Skript.',
    write('analysis/rate.mjs', bundled(files, 'analysis/rate.mjs')),
  );
  await session.act(null, run('node analysis/rate.mjs 5'), run('node analysis/rate.mjs 1 | head -60'));
  session.say(
    `Die Ursache ist die Konfiguration des Zahlungsdienstes, nicht ein Deployment:\n\n- 14:03:00 UTC wird Revision 7742 angewendet (logs/deploy.log:5), sie ändert unter anderem pool.max. Ab logs/payments.jsonl:${extract(waiting, /payments\.jsonl:(\d+): [^\n]*"size":2,/)} meldet der Zahlungsdienst 2 statt 20 Verbindungen.\n- Anfragen warten auf eine Verbindung; wer länger als 30 s wartet, bekommt vom Gateway 502. Der erste Fehler ist logs/gateway.log:${first}, der letzte logs/gateway.log:${last}, insgesamt ${number}.\n- 14:41:00 UTC wird auf Revision 7741 zurückgestellt (logs/deploy.log:9), danach hört es auf.\n- Ausgeschlossen: Suche 4.12.1 (logs/deploy.log:2; kein Fehler zwischen 13:52 und 14:03), Zertifikat (logs/deploy.log:3; anderer Host), Gateway 9.3.3 (logs/deploy.log:6; 13 Minuten nach dem Beginn).\n\nWer pool.max geändert hat, steht nicht in den Logs; die Anforderung kam von config-sync (logs/deploy.log:4).`,
  );

  session.user(
    'Sehr gut. Die Tabelle mit der Fehlerrate brauche ich als CSV-Datei, und zwar minutengenau, für unser Dashboard.',
  );
  await session.act(
    'Das Skript gibt schon CSV aus; eine Datei daraus, außerhalb von logs/.',
    run(
      'node analysis/rate.mjs 1 > analysis/rate-per-minute.csv && wc -l analysis/rate-per-minute.csv && cat analysis/rate-per-minute.csv',
    ),
  );
  session.say('Die Raten stehen minutengenau in analysis/rate-per-minute.csv, Zeiten in UTC.');

  session.user(
    'Ach nein, ich habe es mir anders überlegt: das Dashboard nimmt gar kein CSV. Lösch die Datei wieder und gib mir stattdessen eine lesbare Texttabelle in Schritten von zehn Minuten. Ab jetzt bitte überhaupt kein CSV mehr.',
  );
  await session.act(
    'Die Ausgabe des Skripts wird eine ausgerichtete Tabelle; ich lese es vor der Änderung noch einmal.',
    run('rm analysis/rate-per-minute.csv && ls analysis'),
    read('analysis/rate.mjs'),
  );
  await session.act(
    null,
    edit(
      'analysis/rate.mjs',
      "console.log('from,checkouts,failed,share');",
      "console.log('from   checkouts  failed  share');",
    ),
    edit(
      'analysis/rate.mjs',
      "console.log([from, all, failed, (failed / all).toFixed(3)].join(','));",
      'const share = `${((100 * failed) / all).toFixed(0)}%`;\n  console.log(from.padEnd(7) + String(all).padStart(9) + String(failed).padStart(8) + share.padStart(7));',
    ),
  );
  const [table] = await session.act(null, run('node analysis/rate.mjs 10'), run('git status --short'));
  const { output } = JSON.parse(table!) as { output: string };
  session.say(
    `Die CSV-Datei ist gelöscht. Zehn-Minuten-Schritte, UTC:\n\n\`\`\`\n${output}\n\`\`\`\n\nErneut mit \`node analysis/rate.mjs 10\`.`,
  );
}
