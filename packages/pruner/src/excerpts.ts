import { isToolResult } from '@palimpsest/core';
import type { Draft } from '@palimpsest/core/authoring';
import { type ExcerptSite, proposalFor, type RankedLine, siteAt, tokensOf } from './excerpt-site.ts';
import { type PrunePolicy, resolvePolicy } from './policy.ts';
import type { Proposal } from './proposal.ts';
import type { PruneView, Strategy } from './strategy.ts';
import { proposeStub } from './stub.ts';
import { openView } from './view.ts';

export interface ExcerptOptions {
  /** Where the messages of the transcript are to land together, in tokens; what phases before inserted is not among them. */
  readonly targetTokens: number;
  /** The lines of a result, in order; none when nothing is known about them, and the result is stubbed or stays. */
  readonly linesOf: (at: number) => readonly RankedLine[];
}

/** What a gap mark costs, and the first line of an excerpt beyond that of a stub. Tokens. */
const gapTokens = 3;
const headTokens = 12;
/** Lines in a row that did not fit after which there is hardly room for any. */
const patience = 300;
/** Tokens do not add up exactly over lines, so the room is corrected by what came out. */
const attempts = 6;
/** A transcript that fills this much of its target is not tried again. */
const full = 0.985;

/** What is to become of all results at once. */
interface Choice {
  readonly proposals: readonly Proposal[];
  readonly tokens: number;
}

/**
 * Old results become what they are worth: the lines of all of them compete for the room that a target leaves beside
 * everything else, and each result keeps, in its place, a first line that says what ran and those lines of it that won;
 * a stub when none did. Nothing when the target is met already. Linear but for one sort of the lines.
 */
export function excerpts({ targetTokens, linesOf }: ExcerptOptions): Strategy {
  return {
    name: 'excerpt',
    propose(view) {
      let least = 0;
      for (let at = 0; at < view.transcript.length; at++) least += view.tokens(at);
      if (least <= targetTokens) return [];
      const sites: ExcerptSite[] = [];
      for (let at = view.policy.from; at < view.oldEnd; at++) {
        const site = isToolResult(view.transcript.messages[at]!) ? siteAt(view, at, linesOf(at)) : null;
        if (!site) continue;
        sites.push(site);
        least -= site.fullTokens - site.stubTokens;
      }
      const order = rankedLines(sites);
      let best: Choice = { proposals: sites.map(({ stub }) => stub), tokens: least };
      let room = targetTokens - least;
      for (let attempt = 0; attempt < attempts && room > 0; attempt++) {
        choose(sites, order, room);
        const choice = carriedOut(view, sites, least);
        if (choice.tokens <= targetTokens && choice.tokens >= best.tokens) best = choice;
        if (choice.tokens <= targetTokens && choice.tokens > targetTokens * full) break;
        // In proportion: what came out by what was meant to.
        room *= (targetTokens * 0.997 - least) / Math.max(1, choice.tokens - least);
      }
      return best.proposals;
    },
  };
}

/**
 * What every message weighs when each result that {@link excerpts} may cut is a stub: what room a target has to leave.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function leastTokens(draft: Draft, policy?: PrunePolicy): Float64Array {
  const view = openView(draft, resolvePolicy(policy));
  return Float64Array.from(draft.transcript.messages, (message, at) => {
    const tokens = view.tokens(at);
    const stub = at < view.oldEnd && isToolResult(message) ? proposeStub(view, at) : null;
    return stub ? Math.min(tokens, tokensOf(view, stub)) : tokens;
  });
}

/** Every line worth anything, as site and index, the best first and of equal ones the newest. */
function rankedLines(sites: readonly ExcerptSite[]): readonly (readonly [site: ExcerptSite, index: number])[] {
  const order: (readonly [ExcerptSite, number])[] = [];
  for (const site of sites)
    site.lines.forEach(({ worth }, index) => {
      if (worth > 0) order.push([site, index]);
    });
  return order.sort(([a, i], [b, j]) => b.lines[j]!.worth - a.lines[i]!.worth || b.at - a.at || j - i);
}

/** Marks the lines that fit into the room, the best first. */
function choose(sites: readonly ExcerptSite[], order: ReturnType<typeof rankedLines>, room: number): void {
  const opened = new Set<ExcerptSite>();
  for (const { kept } of sites) kept.fill(0);
  let left = room;
  let misses = 0;
  for (const [site, index] of order) {
    const { kept, lines, scale } = site;
    const joined = (kept[index - 1] ?? 0) + (kept[index + 1] ?? 0);
    const cost = lines[index]!.tokens * scale + (opened.has(site) ? 0 : headTokens) + (1 - joined) * gapTokens;
    if (cost > left) {
      if (++misses > patience) return;
      continue;
    }
    misses = 0;
    left -= cost;
    kept[index] = 1;
    opened.add(site);
  }
}

/** @param least tokens of the transcript with nothing but stubs */
function carriedOut(view: PruneView, sites: readonly ExcerptSite[], least: number): Choice {
  const proposals: Proposal[] = [];
  let tokens = least;
  for (const site of sites) {
    const proposal = proposalFor(view, site);
    if (proposal) proposals.push(proposal);
    tokens += (proposal ? tokensOf(view, proposal) : site.fullTokens) - site.stubTokens;
  }
  return { proposals, tokens };
}
