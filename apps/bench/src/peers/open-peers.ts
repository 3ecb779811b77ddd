import { Transcript } from '@palimpsest/core/authoring';
import { type Keep, tolerance } from '../fidelity/index.ts';
import { install, isInstalled, placeProgram, versionOf } from './install.ts';
import { notRun, peers } from './peer-list.ts';
import { type PeerProcess, startPeer } from './peer-process.ts';

/** The peers that run, and why the others do not. */
export interface OpenPeers {
  readonly ways: Readonly<Record<string, Keep>>;
  /** How each peer is called, by its name in {@link ways}. */
  readonly settings: Readonly<Record<string, string>>;
  /** Why a peer is not measured, by name. A peer that fails during a run is added and not called again. */
  readonly missing: Map<string, string>;
  close(): void;
}

/** Starts every peer. @param mayInstall false to list peers that are not installed as missing instead of installing them */
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
      ways[way] = withRetry(way, peer.keep, missing);
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

function withRetry(way: string, keep: Keep, missing: Map<string, string>): Keep {
  return async (past, budgetTokens, counter) => {
    if (missing.has(way)) return [];
    try {
      const kept = await keep(past, budgetTokens, counter);
      // Peer programs estimate the cost of a changed message, so one that exceeds its budget may retry once with less.
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
