import type { Message } from '@palimpsest/core';
import { rewritten } from '@palimpsest/core/authoring';
import { type ExcerptHead, gapMark, readExcerptHead, writeExcerptHead } from './excerpt-text.ts';
import type { Proposal } from './proposal.ts';
import type { PruneView } from './strategy.ts';
import { excerptHead, proposeStub } from './stub.ts';
import { withText } from './tool-result.ts';

/** One line of a result, as somebody ranked it. */
export interface RankedLine {
  /** Safe to write: redacted already. */
  readonly text: string;
  readonly tokens: number;
  /** How much keeping it is worth, by token; 0 for nothing. */
  readonly worth: number;
  /** True when it goes on in the line of text where the one before it ended. */
  readonly continues: boolean;
}

/** A result that may be cut, and what it comes to in each form. Tokens. */
export interface ExcerptSite {
  readonly at: number;
  readonly lines: readonly RankedLine[];
  readonly stub: Proposal;
  readonly stubTokens: number;
  readonly fullTokens: number;
  readonly head: ExcerptHead;
  /** Tokens of the message by token that its lines were estimated at. */
  readonly scale: number;
  /** By line: 1 when it is kept. */
  readonly kept: Uint8Array;
}

/** The site of a result; `null` when it cannot be made smaller. */
export function siteAt(view: PruneView, at: number, lines: readonly RankedLine[]): ExcerptSite | null {
  const exchange = view.exchange(at);
  const stub = proposeStub(view, at);
  if (!exchange || !stub) return null;
  const stubTokens = tokensOf(view, stub);
  const fullTokens = view.tokens(at);
  if (stubTokens >= fullTokens) return null;
  // What was cut before has a first line of ours, and marks.
  const own = lines.filter(({ text }, index) => (index > 0 || readExcerptHead(`${text}\n`) === null) && !isGap(text));
  const tokens = own.reduce((sum, line) => sum + line.tokens, 0);
  const count = own.reduce((sum, { continues }) => sum + (continues ? 0 : 1), 0);
  return {
    at,
    lines: own,
    stub,
    stubTokens,
    fullTokens,
    head: excerptHead(view, exchange, count),
    scale: tokens > 0 ? Math.min(2, fullTokens / tokens) : 1,
    kept: new Uint8Array(own.length),
  };
}

/** What becomes of a result: its stub, an excerpt of the lines kept, or `null` when it is no larger as it is. */
export function proposalFor(view: PruneView, site: ExcerptSite): Proposal | null {
  if (!site.kept.includes(1)) return site.stub;
  const content = withText(view.message(site.at)!.content, excerptText(site));
  const note = `Of a result of ${site.head.lines} lines, those most likely needed again were kept.`;
  const proposal = { at: site.at, set: { content }, note };
  return tokensOf(view, proposal) < site.fullTokens ? proposal : null;
}

/** Tokens of the message that a proposal leaves. */
export function tokensOf(view: PruneView, { at, set }: Proposal): number {
  return view.transcript.countMessage(rewritten(view.current(at) as Message, set), at);
}

function excerptText({ lines, kept, head }: ExcerptSite): string {
  const texts: string[] = [];
  let count = 0;
  let gap = false;
  lines.forEach(({ text, continues }, index) => {
    if (!kept[index]) {
      gap = true;
      return;
    }
    if (gap) texts.push(gapMark);
    if (continues && !gap && texts.length > 0) texts.push(texts.pop()! + text);
    else {
      texts.push(text);
      count++;
    }
    gap = false;
  });
  if (gap) texts.push(gapMark);
  return [writeExcerptHead(head, count), ...texts].join('\n');
}

function isGap(text: string): boolean {
  return text.trim() === gapMark;
}
