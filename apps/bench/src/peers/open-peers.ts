import type { TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { type Compact, type Search, tolerance } from '@palimpsest/eval/measures';
import { isInstalled, pathIn, versionOf } from './install.ts';
import { notRun, peers } from './peer-list.ts';
import { type PeerProcess, startPeer } from './peer-process.ts';

/** The peers that run, and why the others do not. */
export interface OpenPeers {
  /** By a name with the version. `search` finds names in what was hidden last. */
  readonly ways: Readonly<Record<string, { readonly compact: Compact; readonly search?: Search }>>;
  /** How each peer is called, by its name in {@link ways}. */
  readonly settings: Readonly<Record<string, string>>;
  /** Why a peer is not measured, by name. A peer that fails during a run is added and not called again. */
  readonly missing: Map<string, string>;
  close(): void;
}

/** Starts the peers that are installed. */
export function openPeers(counter: TokenCounter): OpenPeers {
  const ways: Record<string, OpenPeers['ways'][string]> = {};
  const settings: Record<string, string> = {};
  const missing = new Map(Object.entries(notRun));
  const running: PeerProcess[] = [];
  for (const { folder, package: name, call, setting, searches = false } of peers) {
    const way = `${name} ${versionOf(folder, name)} ${call}`;
    if (!isInstalled(folder)) {
      missing.set(
        way,
        'not installed; `pnpm --filter @palimpsest/bench run peers` or a run without `--quick` installs it',
      );
      continue;
    }
    const peer = startPeer(pathIn(folder, searches ? 'recall.mjs' : 'peer.mjs'));
    running.push(peer);
    const compact = withRetry(way, peer.keep, missing);
    ways[way] = searches ? { compact, search: peerSearch(peer.search, missing, way, counter) } : { compact };
    settings[way] = setting;
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

/** Largest answer of one query in tokens, the same as for our own recall. */
const maxAnswerTokens = 2000;

/**
 * Limits the answers of a peer's search to {@link maxAnswerTokens}. If the peer fails, its name goes into `missing`, and it
 * finds nothing.
 */
const peerSearch =
  (search: Search, missing: Map<string, string>, name: string, counter: TokenCounter): Search =>
  async (names) => {
    if (missing.has(name)) return [];
    try {
      return sharing(await search(names), maxAnswerTokens, counter);
    } catch (error) {
      missing.set(name, error instanceof Error ? error.message : String(error));
      return [];
    }
  };

/** Cuts texts that have more than their share of tokens. What a short one leaves free goes to those behind it. */
function sharing(texts: readonly string[], tokens: number, counter: TokenCounter): string[] {
  let free = tokens;
  return texts.map((text, at) => {
    const share = Math.floor(free / (texts.length - at));
    let shown = text;
    let size = counter.countText(shown);
    while (size > share) {
      shown = shown.slice(0, Math.floor(Math.min((shown.length * share) / size, shown.length * 0.98)));
      size = counter.countText(shown);
    }
    free -= size;
    return shown;
  });
}
