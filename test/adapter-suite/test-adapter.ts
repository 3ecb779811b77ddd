import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../loopback-server/index.ts';
import type { Bench } from './adapter-case.ts';
import { answers } from './cases/answers.ts';
import { failures } from './cases/failures.ts';
import { manyRounds } from './cases/many-rounds.ts';
import { pages } from './cases/pages.ts';
import { sessionFeatures } from './cases/session-features.ts';
import { readDocsRow } from './docs-row.ts';
import { type AdapterDriver, features } from './driver.ts';
import { startAgent, type WatchedAgent } from './suite-agent.ts';

const deep = process.env.PALIMPSEST_DEEP !== undefined;
const timeout = deep ? 1_800_000 : 120_000;

/**
 * Defines the cases that every adapter has to pass, with the real framework on the strict loopback server. A feature that
 * the driver `cannot` support is skipped by name; docs/adapters.md has to say so.
 */
export function testAdapter(driver: AdapterDriver): void {
  const { rounds = 100 } = driver;
  describe(`the adapter ${driver.name}`, () => {
    let server: LoopbackServer;
    let notes: string;
    let agents: WatchedAgent[] = [];
    beforeAll(async () => {
      server = await startLoopbackServer();
      notes = mkdtempSync(join(tmpdir(), 'palimpsest-adapter-'));
    });
    afterEach(async () => {
      const closing = agents;
      agents = [];
      for (const agent of closing) await agent.close();
      expect(closing.flatMap(({ damage }) => damage)).toEqual([]);
      expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    });
    afterAll(async () => {
      await server.close();
      rmSync(notes, { recursive: true, force: true });
    });

    it('is described in docs/adapters.md as it is', () => {
      const row = readDocsRow(driver);
      expect(row, `docs/adapters.md has no row that begins with "${driver.name}"`).not.toBeNull();
      expect(row!.works).toEqual(features.filter((feature) => driver.cannot?.[feature] === undefined));
      for (const reason of Object.values(driver.cannot ?? {})) expect(row!.limits).toContain(reason);
    });

    const start: Bench['start'] = async (session, knobs = {}) => {
      const agent = await startAgent(driver, server, notes, session, knobs);
      agents.push(agent);
      return agent;
    };
    for (const { feature, name, run } of [
      manyRounds(deep ? 1_000 : rounds),
      ...answers,
      ...failures,
      ...sessionFeatures,
      ...pages,
    ]) {
      const title = feature === null ? name : `${feature}: ${name}`;
      const reason = feature === null ? undefined : driver.cannot?.[feature];
      if (reason === undefined) it(title, { timeout }, () => run({ server, start }));
      else it.skip(`${title} (${reason})`);
    }
  });
}
