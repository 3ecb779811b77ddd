import { prepareWith, readBundle, type Scenario } from '../../scenario.ts';
import type { Session } from '../../session.ts';
import { terminalTools } from '../../tools/tool-set.ts';
import { systemPrompt } from '../system-prompt.ts';
import { findCause } from './cause.ts';
import { findDoubleCharges } from './double-charges.ts';
import { writeLogs } from './generate.ts';
import { writeReport } from './report.ts';

async function play(session: Session): Promise<void> {
  const files = readBundle(new URL('files.txt', import.meta.url));
  session.system(
    systemPrompt(
      'shop-outage',
      'logs/ holds two hours of logs of a web shop, copied here for analysis; they are evidence.',
    ),
  );
  await findCause(session, files);
  await findDoubleCharges(session, files);
  await writeReport(session);
}

/** An outage is analyzed from logs. The user begins in German and continues in English when a colleague joins. */
export const shopOutage: Scenario = {
  id: 'shop-outage-german',
  title: 'Why checkouts failed: two hours of logs, in German and English',
  description: 'Log analysis: large logs are read, a script is mended; the user writes German first, then English.',
  project: 'shop-outage',
  startedAt: '2025-02-19T07:30:00Z',
  tools: terminalTools,
  async prepare(workspace) {
    await writeLogs(workspace);
    await prepareWith(
      workspace,
      'git init -q -b main && git add -A && git commit -q -m "Logs of 18 February, as exported"',
    );
  },
  play,
};
