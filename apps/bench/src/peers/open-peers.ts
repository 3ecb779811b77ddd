import { Transcript } from '@palimpsest/core/authoring';
import { type Keep, tolerance } from '../fidelity/index.ts';
import { install, isInstalled, placeProgram, versionOf } from './install.ts';
import { notRun, peers } from './peer-list.ts';
import { type PeerProcess, startPeer } from './peer-process.ts';

/** The peers that can be asked, and why the others cannot. */
export interface OpenPeers {
  readonly ways: Readonly<Record<string, Keep>>;
  /** How each one is called, by its way. */
  readonly settings: Readonly<Record<string, string>>;
  /** By way, why it could not be run. Grows while peers are asked: one that fails is asked no further. */
  readonly missing: Map<string, string>;
  close(): void;
}

/** Starts every peer. @param mayInstall false where nothing may be installed; what is missing is then listed */
export async function openPeers(mayInstall: boolean): Promise<OpenPeers> {
  const ways: Record<string, Keep> = {};
  const settings: Record<string, string> = {};
  const missing = new Map(Object.entries(notRun));
  const running: PeerProcess[] = [];
  for (const { folder, package: name, call, setting } of peers) {
    const way = `${name} ${versionOf(folder, name)} ${call}`;
    try {
      if (!isInstalled(folder)) {
        if (!mayInstall) {
          missing.set(
            way,
            'not installed; `pnpm --filter @palimpsest/bench run peers` or a run without `--quick` installs it',
          );
          continue;
        }
        process.stderr.write(`installing ${way} ...\n`);
        await install(folder);
      }
      const peer = startPeer(await placeProgram(folder));
      running.push(peer);
      ways[way] = asked(way, peer.keep, missing);
      settings[way] = setting;
    } catch (error) {
      missing.set(way, reasonOf(error));
    }
  }
  return {
    ways,
    settings,
    missing,
    close: () => {
      for (const peer of running) peer.stop();
    },
  };
}

function asked(way: string, keep: Keep, missing: Map<string, string>): Keep {
  return async (past, budgetTokens, counter) => {
    if (missing.has(way)) return [];
    try {
      const kept = await keep(past, budgetTokens, counter);
      // Programs of peers estimate what a changed message costs: one that missed its budget may aim lower, once.
      const over = Transcript.of(kept, counter).totalTokens - budgetTokens;
      if (over <= budgetTokens * (tolerance - 1) || over >= budgetTokens) return kept;
      const again = await keep(past, budgetTokens - over, counter);
      return Transcript.of(again, counter).totalTokens <= budgetTokens ? again : kept;
    } catch (error) {
      missing.set(way, reasonOf(error));
      return [];
    }
  };
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]!.slice(0, 300);
}
