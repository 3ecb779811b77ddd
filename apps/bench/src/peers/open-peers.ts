import { Transcript } from '@palimpsest/core/authoring';
import { type Compact, tolerance } from '@palimpsest/eval/measures';
import { isInstalled, pathIn, versionOf } from './install.ts';
import type { Peer } from './peer-list.ts';
import { type PeerProcess, startPeer } from './peer-process.ts';

/** The peers that run, and why the others do not. */
export interface OpenPeers {
  readonly ways: Readonly<Record<string, Compact>>;
  /** How a peer finds names in what it hid last, by its name in {@link ways}. */
  readonly searches: Readonly<Record<string, PeerProcess['search']>>;
  /** How each peer is called, by its name in {@link ways}. */
  readonly settings: Readonly<Record<string, string>>;
  /** Why a peer is not measured, by name. A peer that fails during a run is added and not called again. */
  readonly missing: Map<string, string>;
  close(): void;
}

/** Starts the peers that are installed. @param notRun why others are not measured, by name */
export function openPeers(peers: readonly Peer[], notRun: Readonly<Record<string, string>>): OpenPeers {
  const ways: Record<string, Compact> = {};
  const searches: Record<string, PeerProcess['search']> = {};
  const settings: Record<string, string> = {};
  const missing = new Map(Object.entries(notRun));
  const running: PeerProcess[] = [];
  for (const { folder, package: name, call, setting, program = 'peer.mjs' } of peers) {
    const way = `${name} ${versionOf(folder, name)} ${call}`;
    if (!isInstalled(folder)) {
      missing.set(
        way,
        'not installed; `pnpm --filter @palimpsest/bench run peers` or a run without `--quick` installs it',
      );
      continue;
    }
    const peer = startPeer(pathIn(folder, program));
    running.push(peer);
    ways[way] = withRetry(way, peer.keep, missing);
    searches[way] = peer.search;
    settings[way] = setting;
  }
  return {
    ways,
    searches,
    settings,
    missing,
    close: () => {
      for (const peer of running) peer.stop();
    },
  };
}

function withRetry(way: string, keep: Compact, missing: Map<string, string>): Compact {
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
